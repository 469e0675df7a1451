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

it('lets nobody overtake a caller that needs more permits', async () => {
  const places = new Semaphore(3);
  await places.acquire(undefined, 2);
  const entered: string[] = [];
  const big = places.acquire(undefined, 2).then(() => entered.push('big'));
  const small = places.acquire().then(() => entered.push('small'));
  expect(await Promise.race([big, small, soon()])).toBe('waits');
  places.release();
  await Promise.all([big, soon()]);
  expect(entered).toEqual(['big']);
  places.release();
  await small;
});

it('admits the next callers when one that needs more permits gives up', async () => {
  const places = new Semaphore(3);
  await places.acquire(undefined, 2);
  const big = places.acquire(1, 2);
  const small = places.acquire();
  expect(await big).toBe(false);
  expect(await small).toBe(true);
});
