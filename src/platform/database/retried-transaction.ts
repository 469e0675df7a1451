import type { DataSource, EntityManager } from 'typeorm';
import { retryLockConflicts } from './retry-lock-conflicts.js';

const MAX_TRIES = 8;

/**
 * A READ COMMITTED transaction that is retried after a lock conflict.
 * @param work may run several times; only the last run is committed
 */
export function retriedTransaction<T>(
  dataSource: DataSource,
  work: (transaction: EntityManager) => Promise<T>,
): Promise<T> {
  return retryLockConflicts(() => dataSource.transaction('READ COMMITTED', work), MAX_TRIES);
}
