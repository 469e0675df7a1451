import type { EntityManager } from 'typeorm';

/**
 * Erases the data that one feature keeps of an account, for `account delete`. Every method may run again: an interrupted
 * deletion starts over.
 */
export interface AccountData {
  /** Counts the data. The command shows each count under its name. */
  count?(accountId: string): Promise<Readonly<Record<string, number>>>;
  /** Erases the data while the account exists, and once more after: running calls may have added some. */
  erase?(accountId: string): Promise<void>;
  /** Erases data that must go in the transaction that deletes the account, which holds the lock of its row. */
  eraseWithin?(transaction: EntityManager, accountId: string): Promise<void>;
  /** Erases data that must stay until the account is gone. */
  eraseAfter?(accountId: string): Promise<void>;
}
