import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { ConfigFault } from '../config/config-fault.js';
import { withinDeadline } from '../scheduling/within-deadline.js';

/** A server that is up has answered by then. Without Redis a process starts all the same. */
const WITHIN_MS = 1000;

const NAMES_CLUSTER = 'names a server of a cluster: write redis+cluster://[user:password@]host[:port],…';

/**
 * What is wrong with `REDIS_URL` according to the server: it is one of a cluster that the client knows nothing of, or
 * lacks the numbered database, and the client has gone on with number 0. Null: nothing, or the server does not tell.
 */
export async function whyRedisIsWrong(redis: Redis): Promise<string | null> {
  if (redis.isCluster) return null;
  const info = await redis.info('cluster').catch(() => '');
  if (/^cluster_enabled:1/m.test(info)) return NAMES_CLUSTER;
  const number = redis.options.db ?? 0;
  const isLacking = await redis.select(number).then(
    () => false,
    (error: Error) => /out of range/i.test(error.message),
  );
  return isLacking
    ? `names database ${number}, which the server does not have: write a number below its "databases"`
    : null;
}

/**
 * Stops the start of a process whose `REDIS_URL` is wrong by what the server says, and logs that where the server comes
 * up later.
 * @throws ConfigFault
 */
export async function refuseWrongRedis(redis: Redis): Promise<void> {
  const why = await withinDeadline(whenReady(redis).then(whyRedisIsWrong), WITHIN_MS).catch(() => null);
  if (why !== null) throw new ConfigFault([`REDIS_URL: ${why}`]);
  redis.on('ready', () => void logWrongRedis(redis));
}

async function logWrongRedis(redis: Redis): Promise<void> {
  const why = await whyRedisIsWrong(redis);
  if (why !== null) new Logger('Redis').error(`REDIS_URL ${why}`);
}

function whenReady(redis: Redis): Promise<Redis> {
  if (redis.status === 'ready') return Promise.resolve(redis);
  return new Promise((resolve) => redis.once('ready', () => resolve(redis)));
}
