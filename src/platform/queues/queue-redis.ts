import type { Redis } from 'ioredis';
import { connectRedis } from '../redis/connect-redis.js';

/**
 * A client for background queue work: while Redis is down, commands wait for it without limit. The caller listens for
 * errors and disconnects it.
 */
export function createQueueRedis(url: string): Redis {
  return connectRedis(url, { maxRetriesPerRequest: null });
}
