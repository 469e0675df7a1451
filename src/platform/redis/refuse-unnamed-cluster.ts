import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { ConfigFault } from '../config/config-fault.js';
import { withinDeadline } from '../scheduling/within-deadline.js';

/** A server that is up has answered by then. Without Redis a process starts all the same. */
const WITHIN_MS = 1000;

export const NAMES_CLUSTER = 'names a server of a cluster: write redis+cluster://[user:password@]host[:port],…';

/** True when the client knows nothing of the cluster that its server belongs to. False where the server does not tell. */
export async function isUnnamedCluster(redis: Redis): Promise<boolean> {
  if (redis.isCluster) return false;
  const info = await redis.info('cluster').catch(() => '');
  return /^cluster_enabled:1/m.test(info);
}

/**
 * Stops the start of a process whose `REDIS_URL` names a cluster as if it were one server, and logs that where the
 * server comes up later.
 * @throws ConfigFault
 */
export async function refuseUnnamedCluster(redis: Redis): Promise<void> {
  const isUnnamed = await withinDeadline(whenReady(redis).then(isUnnamedCluster), WITHIN_MS).catch(() => false);
  if (isUnnamed) throw new ConfigFault([`REDIS_URL: ${NAMES_CLUSTER}`]);
  redis.on('ready', () => void logUnnamedCluster(redis));
}

async function logUnnamedCluster(redis: Redis): Promise<void> {
  if (await isUnnamedCluster(redis)) new Logger('Redis').error(`REDIS_URL ${NAMES_CLUSTER}`);
}

function whenReady(redis: Redis): Promise<Redis> {
  if (redis.status === 'ready') return Promise.resolve(redis);
  return new Promise((resolve) => redis.once('ready', () => resolve(redis)));
}
