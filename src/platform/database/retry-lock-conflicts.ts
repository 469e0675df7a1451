import { setTimeout as delay } from 'node:timers/promises';
import { isLockConflict } from './database-errors.js';

const LONGEST_PAUSE_MS = 20;
const MAX_TRIES = 8;

/**
 * Runs a statement or transaction, and again after a lock conflict.
 * @param work may run several times; only the last run is committed
 */
export async function retryLockConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isLockConflict(error) || tries === MAX_TRIES) throw error;
      // Random, so that several losers do not collide again.
      await delay(Math.random() * LONGEST_PAUSE_MS * tries);
    }
  }
}
