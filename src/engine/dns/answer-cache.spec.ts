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
  it('returns an answer with its remaining TTL until it expires', () => {
    const { cache, pass } = cacheOf(10);
    cache.set('a', fact('one', 10), 100);
    expect(cache.get('a')).toEqual(fact('one', 10));
    pass(4_500);
    expect(cache.get('a')).toEqual(fact('one', 6));
    pass(5_499);
    expect(cache.get('a')).toEqual(fact('one', 1));
    pass(1);
    expect(cache.get('a')).toBeUndefined();
  });

  it('does not cache a TTL of zero', () => {
    const { cache } = cacheOf(10);
    cache.set('a', fact('one', 0), 100);
    expect(cache.get('a')).toBeUndefined();
  });

  it('replaces an answer by a newer one', () => {
    const { cache } = cacheOf(10);
    cache.set('a', fact('old'), 100);
    cache.set('a', fact('new'), 100);
    expect(cache.get('a')).toEqual(fact('new'));
  });

  it('keeps used answers and evicts the others', () => {
    const { cache } = cacheOf(20);
    for (let index = 0; index < 200; index += 1) {
      cache.set(`passing ${index}`, fact('passing'), 100);
      if (index === 0) cache.set('used', fact('used'), 100);
      expect(cache.get('used')).toEqual(fact('used'));
      expect(cache.size).toBeLessThanOrEqual(20);
    }
    expect(cache.get('passing 0')).toBeUndefined();
    expect(cache.get('passing 199')).toBeDefined();
  });

  it('holds no more octets than its entries may average', () => {
    const { cache } = cacheOf(100);
    for (let index = 0; index < 50; index += 1) cache.set(String(index), fact('big'), 10_000);
    expect(cache.size).toBeLessThanOrEqual(4);
    cache.set('huge', fact('huge'), 20_000);
    expect(cache.get('huge')).toBeUndefined();
    expect(cache.get('49')).toBeDefined();
  });

  it('caches nothing with zero entries', () => {
    const { cache } = cacheOf(0);
    cache.set('a', fact('one'), 10);
    expect(cache.get('a')).toBeUndefined();
  });
});
