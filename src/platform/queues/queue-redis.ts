import { Redis } from 'ioredis';

const LONGEST_RETRY_MS = 2000;

/**
 * A client for queues, whose work nobody waits for: while Redis is down commands wait for it, for as long as it takes.
 * Whoever makes it listens for errors, and disconnects it.
 */
export function createQueueRedis(url: string): Redis {
  return new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RETRY_MS),
  });
}
