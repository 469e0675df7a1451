import type { EntityManager } from 'typeorm';

/**
 * What a feature keeps of an account, for `account delete`. Whatever it does may be done again: a deletion that was cut off
 * goes on from the start.
 */
export interface AccountData {
  /** How much there is, by the words that whoever deletes it is shown. */
  count?(accountId: string): Promise<Readonly<Record<string, number>>>;
  /** Erases it while the account is there, and once more when it is gone: calls under way may have added to it. */
  erase?(accountId: string): Promise<void>;
  /** Erases what has to go in the transaction that deletes the account, whose row that transaction holds. */
  eraseWithin?(transaction: EntityManager, accountId: string): Promise<void>;
  /** Erases what has to stay until the account is gone. */
  eraseAfter?(accountId: string): Promise<void>;
}
