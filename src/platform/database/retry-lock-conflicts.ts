import { setTimeout as delay } from 'node:timers/promises';
import { isLockConflict } from './database-errors.js';

const LONGEST_PAUSE_MS = 20;
const MAX_TRIES = 5;

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
      await pauseAfterConflict(tries);
    }
  }
}

/** Random, so that several losers do not collide again. */
export function pauseAfterConflict(tries: number): Promise<void> {
  return delay(Math.random() * LONGEST_PAUSE_MS * tries);
}
