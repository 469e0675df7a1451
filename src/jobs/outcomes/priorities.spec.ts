import { priorities } from './priorities.js';

describe('queue priorities', () => {
  it('start at 1 in an empty queue', () => {
    expect(priorities(3, { accountsLast: null, next: null })).toEqual([1, 2, 3]);
  });

  it('of an account follow its earlier ones', () => {
    expect(priorities(2, { accountsLast: 40, next: 11 })).toEqual([41, 42]);
  });

  it('of several accounts alternate, so that a small job finishes soon', () => {
    const big = priorities(500, { accountsLast: null, next: null });
    const small = priorities(3, { accountsLast: null, next: 1 });
    const order = [...big.map((place) => ['big', place] as const), ...small.map((place) => ['small', place] as const)];
    const served = order.toSorted((one, other) => one[1] - other[1]).slice(0, 6);
    expect(served.map(([whose]) => whose)).toEqual(['big', 'small', 'big', 'small', 'big', 'small']);
  });

  it('never start ahead of the current turn, so that waiting work does not starve', () => {
    // The big job is served up to its place 300; the new job alternates with it from there on.
    expect(priorities(2, { accountsLast: null, next: 300 })).toEqual([300, 301]);
    const places = [1];
    for (let i = 0; i < 1000; i++) places.push(...priorities(1, { accountsLast: null, next: places.at(-1)! + 1 }));
    expect(places.filter((place) => place <= 500)).toHaveLength(500);
  });

  it('stay within the limit of the queue', () => {
    expect(priorities(2, { accountsLast: 1_999_999, next: 5 })).toEqual([2_000_000, 2_000_000]);
  });
});
