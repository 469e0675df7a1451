import { Shares } from './shares.js';

describe('Shares', () => {
  it('are limited per account and per process', () => {
    const shares = new Shares({ total: 10, perAccount: 6 });
    expect(shares.take('a', 4)).toBe('taken');
    expect(shares.take('a', 3)).toBe('account_full');
    expect(shares.take('b', 6)).toBe('taken');
    expect(shares.take('c', 1)).toBe('process_full');
    expect(shares.inUse).toBe(10);
  });

  it('are available again when released, in parts or whole', () => {
    const shares = new Shares({ total: 10, perAccount: 6 });
    shares.take('a', 6);
    shares.giveBack('a', 2);
    expect([shares.take('a', 3), shares.take('a', 2)]).toEqual(['account_full', 'taken']);
    shares.giveBack('a', 6);
    expect([shares.inUse, shares.take('a', 6)]).toEqual([0, 'taken']);
  });
});
