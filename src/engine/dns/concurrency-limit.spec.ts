import { ConcurrencyLimit } from './concurrency-limit.js';

describe('ConcurrencyLimit', () => {
  it('runs tasks up to the limit, then the next in order as each ends', () => {
    const limit = new ConcurrencyLimit(2);
    const started: string[] = [];
    const leave = ['a', 'b', 'c', 'd'].map((name) => limit.acquire('one', () => started.push(name)));
    expect(started).toEqual(['a', 'b']);
    leave[1]!();
    expect(started).toEqual(['a', 'b', 'c']);
    leave[0]!();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('forgets a waiting task that ends', () => {
    const limit = new ConcurrencyLimit(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => limit.acquire('one', () => started.push(name)));
    leave[1]!();
    leave[0]!();
    expect(started).toEqual(['a', 'c']);
  });

  it('frees one slot per task, however often the task ends', () => {
    const limit = new ConcurrencyLimit(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => limit.acquire('one', () => started.push(name)));
    leave[0]!();
    leave[0]!();
    expect(started).toEqual(['a', 'b']);
  });

  it('lets requesters take turns, however many tasks of one wait', () => {
    const limit = new ConcurrencyLimit(1);
    const started: string[] = [];
    const ask = (requester: string, name: string) => limit.acquire(requester, () => started.push(name));
    const [first, second] = [ask('many', 'm1'), ask('many', 'm2')];
    ask('many', 'm3');
    const few = ask('few', 'f1');
    first();
    second();
    few();
    expect(started).toEqual(['m1', 'm2', 'f1', 'm3']);
  });

  it('keeps a quarter of the places free of a requester who is alone, and some for each further one', () => {
    const limit = new ConcurrencyLimit(1000);
    const running = new Map<string, number>();
    for (const requester of ['one', 'two', 'three', 'four']) {
      for (let i = 0; i < 1000; i += 1) {
        limit.acquire(requester, () => running.set(requester, (running.get(requester) ?? 0) + 1));
      }
    }
    expect([...running.values()]).toEqual([750, 188, 47, 12]);
  });

  it('gives back to the others what a requester had taken while it was alone', () => {
    const limit = new ConcurrencyLimit(100);
    const running = { one: 0, two: 0 };
    const ask = (requester: 'one' | 'two') => limit.acquire(requester, () => (running[requester] += 1));
    const ones = Array.from({ length: 200 }, () => ask('one'));
    for (let i = 0; i < 200; i += 1) ask('two');
    for (const end of ones.slice(0, 75)) {
      end();
      running.one -= 1;
    }
    expect(running.two).toBeGreaterThan(30);
    expect(running.one).toBeGreaterThan(30);
  });
});
