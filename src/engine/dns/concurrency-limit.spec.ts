import { ConcurrencyLimit } from './concurrency-limit.js';

describe('ConcurrencyLimit', () => {
  it('lets in as many as there are places, then one for each that leaves, in order', () => {
    const limit = new ConcurrencyLimit(2);
    const started: string[] = [];
    const leave = ['a', 'b', 'c', 'd'].map((name) => limit.enter(() => started.push(name)));
    expect(started).toEqual(['a', 'b']);
    leave[1]!();
    expect(started).toEqual(['a', 'b', 'c']);
    leave[0]!();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('forgets who leaves the line', () => {
    const limit = new ConcurrencyLimit(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => limit.enter(() => started.push(name)));
    leave[1]!();
    leave[0]!();
    expect(started).toEqual(['a', 'c']);
  });

  it('takes a place back once, however often it is given', () => {
    const limit = new ConcurrencyLimit(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => limit.enter(() => started.push(name)));
    leave[0]!();
    leave[0]!();
    expect(started).toEqual(['a', 'b']);
  });
});
