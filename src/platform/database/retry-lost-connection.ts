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
      await pause(pauseMs, stop);
    }
  }
  return work();
}

/** Ends early if `stop` aborts. The timer is the global one, which a test's clock moves. */
function pause(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop?.addEventListener('abort', end);
  });
}
