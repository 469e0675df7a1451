import { AnswerCache } from './answer-cache.js';

function cacheOf(entries: number): {
  cache: AnswerCache<{ ttlSeconds: number; tag: string }>;
  pass: (ms: number) => void;
} {
  let now = 1_000;
  const cache = new AnswerCache<{ ttlSeconds: number; tag: string }>(entries, () => now);
  return { cache, pass: (ms) => (now += ms) };
}

const fact = (tag: string, ttlSeconds = 60): { ttlSeconds: number; tag: string } => ({ ttlSeconds, tag });

describe('AnswerCache', () => {
  it('gives an answer with the seconds it has left, until it has none', () => {
    const { cache, pass } = cacheOf(10);
    cache.set('a', fact('one', 10), 100);
    expect(cache.get('a')).toEqual(fact('one', 10));
    pass(4_500);
    expect(cache.get('a')).toEqual(fact('one', 6));
    pass(5_499);
    expect(cache.get('a')).toEqual(fact('one', 1));
    pass(1);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('does not keep what has no time to live', () => {
    const { cache } = cacheOf(10);
    cache.set('a', fact('one', 0), 100);
    expect(cache.get('a')).toBeUndefined();
  });

  it('forgets a kept answer for a newer one that may not be kept', () => {
    const { cache } = cacheOf(10);
    cache.set('a', fact('old'), 100);
    cache.set('a', fact('new', 0), 100);
    expect(cache.get('a')).toBeUndefined();
  });

  it('drops what was used longest ago', () => {
    const { cache } = cacheOf(2);
    cache.set('a', fact('one'), 100);
    cache.set('b', fact('two'), 100);
    cache.get('a');
    cache.set('c', fact('three'), 100);
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('a')).toBeDefined();
    expect(cache.get('c')).toBeDefined();
  });

  it('holds no more octets than its entries are allowed on average', () => {
    const { cache } = cacheOf(100);
    for (let index = 0; index < 50; index += 1) cache.set(String(index), fact('big'), 10_000);
    expect(cache.size).toBe(5);
    cache.set('huge', fact('huge'), 20_000);
    expect(cache.get('huge')).toBeUndefined();
    expect(cache.size).toBe(5);
  });

  it('keeps nothing when it has no room', () => {
    const { cache } = cacheOf(0);
    cache.set('a', fact('one'), 10);
    expect(cache.get('a')).toBeUndefined();
  });
});
