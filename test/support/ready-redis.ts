import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { createRedis } from '../../src/platform/redis/redis-client.js';

/** The product's client, connected: before that, each of its commands fails at once. */
export async function readyRedis(url: string): Promise<Redis> {
  const redis = createRedis(url);
  await once(redis, 'ready');
  return redis;
}
