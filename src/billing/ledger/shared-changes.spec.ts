import type { Funds } from '../funds.js';
import { sharedChanges } from './shared-changes.js';

const funds = (purchased: number, gifted = 0, freeVerifiesUsed = 0, month = 202611): Funds => ({
  purchased,
  gifted,
  month,
  freeVerifiesUsed,
});
const changes = (...accounts: [id: string, before: Funds, after: Funds][]) =>
  sharedChanges(
    new Map(accounts.map(([id, before]) => [id, before])),
    new Map(accounts.map(([id, , after]) => [id, after])),
  );

describe('sharedChanges', () => {
  it('groups accounts with the same change, whatever their balance', () => {
    expect(changes(['a', funds(10), funds(9)], ['b', funds(700), funds(699)], ['c', funds(5), funds(3)])).toEqual({
      shared: [
        { accountIds: ['a', 'b'], purchased: -1, gifted: 0, freeVerifiesUsed: 0 },
        { accountIds: ['c'], purchased: -2, gifted: 0, freeVerifiesUsed: 0 },
      ],
      own: [],
    });
  });

  it('separates kinds of credits, and charges from refunds', () => {
    const { shared } = changes(
      ['a', funds(1, 1, 1), funds(0, 1, 1)],
      ['b', funds(1, 1, 1), funds(1, 0, 1)],
      ['c', funds(1, 1, 1), funds(1, 1, 2)],
      ['d', funds(1, 1, 1), funds(2, 1, 1)],
    );
    expect(shared.map(({ purchased, gifted, freeVerifiesUsed }) => [purchased, gifted, freeVerifiesUsed])).toEqual([
      [-1, 0, 0],
      [0, -1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]);
  });

  it('writes an account that starts a new month separately', () => {
    const next = funds(9, 0, 1, 202612);
    expect(changes(['a', funds(10, 0, 40), next], ['b', funds(10), funds(9)])).toEqual({
      shared: [{ accountIds: ['b'], purchased: -1, gifted: 0, freeVerifiesUsed: 0 }],
      own: [['a', next]],
    });
  });
});
