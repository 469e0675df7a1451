import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isLockConflict } from './database-errors.js';

const MAX_TRIES = 8;
const LONGEST_PAUSE_MS = 20;

/**
 * A READ COMMITTED transaction that is made again when it loses a contest for a lock.
 * @param work may run several times; only the last of them stands
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
      // Whoever won is on its way; several losers must not meet again.
      await delay(Math.random() * LONGEST_PAUSE_MS * tries);
    }
  }
}
