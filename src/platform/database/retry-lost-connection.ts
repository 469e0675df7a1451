import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLost } from './database-errors.js';

/**
 * Runs work whose result must survive a short outage of the database, and again after each of these pauses while the
 * database is lost.
 * @param work may run several times
 * @param stop aborted when the process stops: retries end
 */
export async function retryLostConnection<T>(
  pausesMs: readonly number[],
  work: () => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLost(error) || stop?.aborted === true) throw error;
      await delay(pauseMs, undefined, stop && { signal: stop }).catch(() => undefined);
    }
  }
  return work();
}
