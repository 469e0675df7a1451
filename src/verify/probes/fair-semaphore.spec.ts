import { FairSemaphore } from './fair-semaphore.js';

/** A semaphore that records for a test who had to give way. */
function placesOf(count: number) {
  const places = new FairSemaphore(count);
  const gaveWay: string[] = [];
  const take = (name: string): (() => void) | null => places.take(name[0]!, () => gaveWay.push(name));
  return { take, gaveWay };
}

it('has all places for one account', () => {
  const { take, gaveWay } = placesOf(3);
  expect(['a1', 'a2', 'a3', 'a4'].map((name) => take(name) !== null)).toEqual([true, true, true, false]);
  expect(gaveWay).toEqual([]);
});

it('shares them among the accounts that want some: the latest comers of who has most give way', () => {
  const { take, gaveWay } = placesOf(4);
  for (const name of ['a1', 'a2', 'a3', 'a4']) take(name);
  expect(['b1', 'b2', 'b3', 'c1', 'c2'].map((name) => take(name) !== null)).toEqual([true, true, false, true, false]);
  expect(gaveWay).toEqual(['a4', 'a3', 'a2']);
});

it('gives a place back once, and not for the one who has taken it over', () => {
  const { take } = placesOf(2);
  const [, second] = [take('a1'), take('a2')];
  const other = take('b1');
  second?.();
  expect(take('c1')).toBeNull();
  other?.();
  other?.();
  expect([take('c1') !== null, take('c2')]).toEqual([true, null]);
});
