import { Semaphore } from './semaphore.js';

const soon = (): Promise<string> => new Promise((resolve) => setImmediate(resolve, 'waits'));

it('grants a limited number of permits, in order of arrival', async () => {
  const places = new Semaphore(1);
  expect(await places.acquire()).toBe(true);
  const entered: string[] = [];
  const waiting = ['first', 'second'].map((name) => places.acquire().then(() => entered.push(name)));
  expect(await Promise.race([...waiting, soon()])).toBe('waits');
  places.release();
  await waiting[0];
  expect(entered).toEqual(['first']);
  places.release();
  await waiting[1];
  places.release();
  expect(await places.acquire()).toBe(true);
});

it('refuses a caller that waited too long, and gives its permit to nobody', async () => {
  const places = new Semaphore(1);
  await places.acquire();
  expect(await places.acquire(1)).toBe(false);
  places.release();
  expect(await places.acquire()).toBe(true);
});

it('does not time out a granted wait', async () => {
  const places = new Semaphore(1);
  await places.acquire();
  const waiting = places.acquire(1);
  places.release();
  expect(await waiting).toBe(true);
  expect(await places.acquire(5)).toBe(false);
});

it('refuses every waiting and later caller when closed', async () => {
  const places = new Semaphore(1);
  await places.acquire();
  const waiting = places.acquire();
  places.close();
  expect(await Promise.all([waiting, places.acquire()])).toEqual([false, false]);
  places.release();
  expect(await places.acquire()).toBe(false);
});
