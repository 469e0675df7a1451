import { Shares } from './shares.js';

describe('Shares', () => {
  it('are limited per account and per process', () => {
    const shares = new Shares({ total: 10, perAccount: 6 });
    expect(shares.reserve('a', 4)).toBe('taken');
    expect(shares.reserve('a', 3)).toBe('account_full');
    expect(shares.reserve('b', 6)).toBe('taken');
    expect(shares.reserve('c', 1)).toBe('process_full');
    expect(shares.inUse).toBe(10);
  });

  it('are available again when released, in parts or whole', () => {
    const shares = new Shares({ total: 10, perAccount: 6 });
    shares.reserve('a', 6);
    shares.release('a', 2);
    expect([shares.reserve('a', 3), shares.reserve('a', 2)]).toEqual(['account_full', 'taken']);
    shares.release('a', 6);
    expect([shares.inUse, shares.reserve('a', 6)]).toEqual([0, 'taken']);
  });
});
