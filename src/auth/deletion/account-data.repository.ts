import type { EntityManager } from 'typeorm';

/**
 * Erases the data that one feature keeps of an account, for `account delete`. Every method may run again: an interrupted
 * deletion starts over.
 */
export interface AccountData {
  /** Counts the data. The command shows each count under its name. */
  count?(accountId: string): Promise<Readonly<Record<string, number>>>;
  /** Erases it while the account is there, and once more when it is gone: calls under way may have added to it. */
  erase?(accountId: string): Promise<void>;
  /** Erases what has to go in the transaction that deletes the account, whose row that transaction holds. */
  eraseWithin?(transaction: EntityManager, accountId: string): Promise<void>;
  /** Erases what has to stay until the account is gone. */
  eraseAfter?(accountId: string): Promise<void>;
}
