import { Redis } from 'ioredis';
import { CONNECTION_LIFE } from '../redis/connection-life.js';

/**
 * A client for queues, whose work nobody waits for: while Redis is down commands wait for it, for as long as it takes.
 * Whoever makes it listens for errors, and disconnects it.
 */
export function createQueueRedis(url: string): Redis {
  return new Redis(url, { maxRetriesPerRequest: null, ...CONNECTION_LIFE });
}
