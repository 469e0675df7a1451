import { Redis } from 'ioredis';
import { CONNECTION_LIFE } from '../redis/connection-life.js';

/**
 * A client for background queue work: while Redis is down, commands wait for it without limit. The caller listens for
 * errors and disconnects it.
 */
export function createQueueRedis(url: string): Redis {
  return new Redis(url, { maxRetriesPerRequest: null, ...CONNECTION_LIFE });
}
