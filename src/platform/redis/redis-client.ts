import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { connectRedis } from './connect-redis.js';
import { writeByTurn } from './write-by-turn.js';

const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 2000;

/**
 * A client for commands whose callers wait: while Redis is down a command fails at once, is not queued, and is never
 * sent twice (a script that takes a token must not run again because its reply was lost). Reconnects for as long as it
 * lives.
 */
export function createRedis(url: string): Redis {
  const redis = connectRedis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  if (redis.isCluster) redis.on('+node', writeByTurn);
  else writeByTurn(redis);
  logChanges(redis);
  return redis;
}

/**
 * Logs one line per change of state. Without a listener an error event ends the process; one line per attempt would
 * fill the log.
 */
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
