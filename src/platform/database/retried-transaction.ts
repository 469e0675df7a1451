import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isLockConflict } from './database-errors.js';

const MAX_TRIES = 8;
const LONGEST_PAUSE_MS = 20;

/**
 * A READ COMMITTED transaction that is retried after a lock conflict.
 * @param work may run several times; only the last run is committed
 */
export async function retriedTransaction<T>(
  dataSource: DataSource,
  work: (transaction: EntityManager) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await dataSource.transaction('READ COMMITTED', work);
    } catch (error) {
      if (!isLockConflict(error) || tries === MAX_TRIES) throw error;
      // Random, so that several losers do not collide again.
      await delay(Math.random() * LONGEST_PAUSE_MS * tries);
    }
  }
}
