import type { Funds } from '../funds.js';

/** What changes in the same way for these accounts. Whole numbers; less than zero where it becomes less. */
export interface SharedChange {
  readonly accountIds: string[];
  readonly purchased: number;
  readonly gifted: number;
  readonly freeVerifiesUsed: number;
}

export interface BalanceChanges {
  readonly shared: readonly SharedChange[];
  /** Accounts for which a new month begins: what they had used in the one before does not count on. */
  readonly own: readonly (readonly [accountId: string, after: Funds])[];
}

/**
 * Puts together what changes alike, so that it is written by one statement: nearly every charge of a group takes the same
 * credit from somebody. In the order of `after`.
 * @param before what the accounts had when they were locked
 */
export function sharedChanges(before: ReadonlyMap<string, Funds>, after: ReadonlyMap<string, Funds>): BalanceChanges {
  const shared = new Map<string, SharedChange>();
  const own: [string, Funds][] = [];
  for (const [accountId, funds] of after) {
    const was = before.get(accountId);
    if (was === undefined || was.month !== funds.month) {
      own.push([accountId, funds]);
      continue;
    }
    const purchased = funds.purchased - was.purchased;
    const gifted = funds.gifted - was.gifted;
    const freeVerifiesUsed = funds.freeVerifiesUsed - was.freeVerifiesUsed;
    const kind = `${purchased} ${gifted} ${freeVerifiesUsed}`;
    const alike = shared.get(kind);
    if (alike === undefined) shared.set(kind, { accountIds: [accountId], purchased, gifted, freeVerifiesUsed });
    else alike.accountIds.push(accountId);
  }
  return { shared: [...shared.values()], own };
}
