import type { RedisOptions } from 'ioredis';

const DISCONNECT_TIMEOUT_MS = 250;
const LONGEST_RETRY_MS = 2000;

/** Every client reconnects for as long as it lives, and disconnects fast. */
export const CONNECTION_LIFE = {
  // ioredis waits this long for a connection to close, even one never opened, and keeps the process alive meanwhile.
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RETRY_MS),
} satisfies RedisOptions;
