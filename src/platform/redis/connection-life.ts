import type { RedisOptions } from 'ioredis';

const DISCONNECT_TIMEOUT_MS = 250;
const LONGEST_RETRY_MS = 2000;

/** How every client comes back, for as long as it lives, and how it goes. */
export const CONNECTION_LIFE = {
  // ioredis waits so long for the end of a connection, even of one that never was, and keeps the process alive meanwhile.
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RETRY_MS),
} satisfies RedisOptions;
