import { Turnstile } from './turnstile.js';

describe('Turnstile', () => {
  it('lets in as many as there are places, then one for each that leaves, in order', () => {
    const turnstile = new Turnstile(2);
    const started: string[] = [];
    const leave = ['a', 'b', 'c', 'd'].map((name) => turnstile.enter(() => started.push(name)));
    expect(started).toEqual(['a', 'b']);
    leave[1]!();
    expect(started).toEqual(['a', 'b', 'c']);
    leave[0]!();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('forgets who leaves the line', () => {
    const turnstile = new Turnstile(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => turnstile.enter(() => started.push(name)));
    leave[1]!();
    leave[0]!();
    expect(started).toEqual(['a', 'c']);
  });

  it('takes a place back once, however often it is given', () => {
    const turnstile = new Turnstile(1);
    const started: string[] = [];
    const leave = ['a', 'b', 'c'].map((name) => turnstile.enter(() => started.push(name)));
    leave[0]!();
    leave[0]!();
    expect(started).toEqual(['a', 'b']);
  });
});
