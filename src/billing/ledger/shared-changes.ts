import type { Funds } from '../funds.js';

/** One change that several accounts share. Integers, negative for a decrease. */
export interface SharedChange extends Omit<Funds, 'month'> {
  readonly accountIds: string[];
}

export interface BalanceChanges {
  readonly shared: readonly SharedChange[];
  /** Accounts that start a new month: the count of the month before is reset. */
  readonly own: readonly (readonly [accountId: string, after: Funds])[];
}

/**
 * Groups equal changes so that one statement writes each: nearly every charge of a group takes the same credit. Keeps
 * the order of `after`.
 * @param before funds of the accounts when they were locked
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
