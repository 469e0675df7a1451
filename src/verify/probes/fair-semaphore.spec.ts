import { FairSemaphore } from './fair-semaphore.js';

/** A semaphore that records for a test who had to give way. */
function placesOf(count: number) {
  const places = new FairSemaphore(count);
  const gaveWay: string[] = [];
  const take = (name: string): (() => void) | null => places.acquire(name[0]!, () => gaveWay.push(name));
  return { take, gaveWay };
}

it('gives all permits to a single account', () => {
  const { take, gaveWay } = placesOf(3);
  expect(['a1', 'a2', 'a3', 'a4'].map((name) => take(name) !== null)).toEqual([true, true, true, false]);
  expect(gaveWay).toEqual([]);
});

it('shares permits among accounts: the latest of the account with most yield', () => {
  const { take, gaveWay } = placesOf(4);
  for (const name of ['a1', 'a2', 'a3', 'a4']) take(name);
  expect(['b1', 'b2', 'b3', 'c1', 'c2'].map((name) => take(name) !== null)).toEqual([true, true, false, true, false]);
  expect(gaveWay).toEqual(['a4', 'a3', 'a2']);
});

it('releases a permit once, and not for its new holder', () => {
  const { take } = placesOf(2);
  const [, second] = [take('a1'), take('a2')];
  const other = take('b1');
  second?.();
  expect(take('c1')).toBeNull();
  other?.();
  other?.();
  expect([take('c1') !== null, take('c2')]).toEqual([true, null]);
});
