import { Places } from './places.js';

const soon = (): Promise<string> => new Promise((resolve) => setImmediate(resolve, 'waits'));

it('lets so many in, and the others in the order they came', async () => {
  const places = new Places(1);
  expect(await places.take()).toBe(true);
  const entered: string[] = [];
  const waiting = ['first', 'second'].map((name) => places.take().then(() => entered.push(name)));
  expect(await Promise.race([...waiting, soon()])).toBe('waits');
  places.giveBack();
  await waiting[0];
  expect(entered).toEqual(['first']);
  places.giveBack();
  await waiting[1];
  places.giveBack();
  expect(await places.take()).toBe(true);
});

it('sends away who waited too long, and its place in line is nobody’s', async () => {
  const places = new Places(1);
  await places.take();
  expect(await places.take(1)).toBe(false);
  places.giveBack();
  expect(await places.take()).toBe(true);
});

it('a wait that ended well is not ended once more', async () => {
  const places = new Places(1);
  await places.take();
  const waiting = places.take(1);
  places.giveBack();
  expect(await waiting).toBe(true);
  expect(await places.take(5)).toBe(false);
});

it('when closed sends away who waits, and whoever comes', async () => {
  const places = new Places(1);
  await places.take();
  const waiting = places.take();
  places.close();
  expect(await Promise.all([waiting, places.take()])).toEqual([false, false]);
  places.giveBack();
  expect(await places.take()).toBe(false);
});
