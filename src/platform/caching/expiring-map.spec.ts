import { ExpiringMap } from './expiring-map.js';

describe('ExpiringMap', () => {
  it('keeps a value until it expires', () => {
    const map = new ExpiringMap<string>(10);
    map.set('a', 'x', 100);
    expect(map.get('a', 99)).toBe('x');
    expect(map.get('a', 100)).toBeUndefined();
    expect(map.size).toBe(0);
  });

  it('evicts the oldest entry beyond its capacity', () => {
    const map = new ExpiringMap<number>(2);
    map.set('a', 1, 100);
    map.set('b', 2, 100);
    map.set('a', 3, 100);
    map.set('c', 4, 100);
    expect(map.size).toBe(2);
    expect([map.get('a', 0), map.get('b', 0), map.get('c', 0)]).toEqual([3, undefined, 4]);
  });
});
