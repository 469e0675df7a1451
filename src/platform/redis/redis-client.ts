import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';

const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 2000;
const DISCONNECT_TIMEOUT_MS = 250;
const LONGEST_RETRY_MS = 2000;

/**
 * A client for commands whose callers are waiting: while Redis is down a command fails at once, none is kept for
 * later and none is sent twice (a script that takes a token must not run again because its reply was lost). It
 * reconnects for as long as it lives.
 */
export function createRedis(url: string): Redis {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // ioredis waits so long for the end of a connection, even of one that never was.
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RETRY_MS),
  });
  logChanges(redis);
  return redis;
}

/** Without a listener an error event ends the process; with one per attempt the log fills. One line per change. */
function logChanges(redis: Redis): void {
  const logger = new Logger('Redis');
  let down = false;
  redis.on('error', (error) => {
    if (!down) logger.warn({ err: error }, 'Redis is not reachable; trying again');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.log('Redis is reachable again');
    down = false;
  });
}
