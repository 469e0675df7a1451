import { Redis } from 'ioredis';

const LONGEST_RETRY_MS = 2000;
const DISCONNECT_TIMEOUT_MS = 250;

/**
 * A client for queues, whose work nobody waits for: while Redis is down commands wait for it, for as long as it takes.
 * Whoever makes it listens for errors, and disconnects it.
 */
export function createQueueRedis(url: string): Redis {
  return new Redis(url, {
    maxRetriesPerRequest: null,
    // ioredis waits so long for the end of a connection, even of one that never was, and keeps the process alive meanwhile.
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RETRY_MS),
  });
}
