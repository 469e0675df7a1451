import { ConcurrencyLimit } from './concurrency-limit.js';

describe('ConcurrencyLimit', () => {
  it('runs tasks up to the limit, then the next in order as each ends', () => {
    const limit = new ConcurrencyLimit(2);
    const started: string[] = [];
    const leave = ['a', 'b', 'c', 'd'].map((name) => limit.acquire(() => started.push(name)));
    expect(started).toEqual(['a', 'b']);
    leave[1]!();
    expect(started).toEqual(['a', 'b', 'c']);
    leave[0]!();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('forgets a waiting task that ends', () => {
    const limit = new ConcurrencyLimit(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => limit.acquire(() => started.push(name)));
    leave[1]!();
    leave[0]!();
    expect(started).toEqual(['a', 'c']);
  });

  it('frees one slot per task, however often the task ends', () => {
    const limit = new ConcurrencyLimit(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => limit.acquire(() => started.push(name)));
    leave[0]!();
    leave[0]!();
    expect(started).toEqual(['a', 'b']);
  });
});
