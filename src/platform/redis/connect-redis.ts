import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import { parseRedisUrl, REDIS_URL_RULE, type RedisTarget } from '../config/redis-url.js';
import { leaveWhenSilent } from './leave-when-silent.js';

const SENTINEL_MS = 2000;
/** Between two attempts to reach a primary: an election takes seconds, and who asks seldom learns of its end late. */
const PRIMARY_AGAIN_MS = 500;
/** A node that hangs is noticed by what the others say about it. */
const SLOTS_EVERY_MS = 4000;
const SLOTS_WITHIN_MS = 2000;
const AGAIN_MS = 100;
/** Of commands that wait: some 20 seconds, longer than an election. */
const MOST_TRIES = 200;
/** Of commands that do not wait: a slot that moved, a second one while the first move is not known everywhere. */
const MOST_MOVES = 4;

// The client of a cluster sends ASKING without a look at its promise: rejected by a node that dies, it would end the process.
// The command that follows is refused in the same way. For every client, since queues duplicate theirs.
// oxlint-disable-next-line typescript/unbound-method -- called with its client below
const { asking } = Redis.prototype;
Redis.prototype.asking = function askQuietly(this: Redis, ...args: Parameters<Redis['asking']>) {
  const asked = asking.apply(this, args);
  asked.catch(() => undefined);
  return asked;
};

/** Every client reconnects for as long as it lives, and disconnects fast. */
const CONNECTION_LIFE = {
  // ioredis waits this long for a connection to close, even one never opened, and keeps the process alive meanwhile.
  disconnectTimeout: 250,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
} satisfies RedisOptions;

/**
 * Opens a client of the Redis that `REDIS_URL` names: the only place that does. The client of a cluster is a `Cluster`,
 * which has every member of `Redis` that we use; `isCluster` tells them apart.
 * @param own `maxRetriesPerRequest: null`: commands wait while no server serves their keys
 */
export function connectRedis(url: string, own: RedisOptions): Redis {
  const options = { ...CONNECTION_LIFE, ...own };
  const target = parseRedisUrl(url);
  if (target === null) throw new RangeError(`REDIS_URL ${REDIS_URL_RULE}`);
  if (target.kind === 'server') return new Redis(target.url, options);
  if (target.kind === 'cluster') return openCluster(target, options) as unknown as Redis;
  const redis = new Redis({ ...options, ...sentinelOptions(target, options) });
  leaveWhenSilent(redis);
  return redis;
}

function sentinelOptions(
  target: RedisTarget & { kind: 'sentinel' },
  { maxRetriesPerRequest, retryStrategy }: RedisOptions,
): RedisOptions {
  const { sentinels, name, number, sentinelUser, sentinelPassword } = target;
  const waits = maxRetriesPerRequest === null;
  return {
    sentinels: sentinels.map((sentinel) => ({ ...sentinel })),
    name,
    db: number,
    retryStrategy: (attempt) => atMost(retryStrategy?.(attempt), PRIMARY_AGAIN_MS),
    sentinelRetryStrategy: (attempt) => retryStrategy?.(attempt) ?? null,
    ...loginOptions(target),
    ...(sentinelUser !== null && { sentinelUsername: sentinelUser }),
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(target.tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: SENTINEL_MS,
    // One that was replaced while it was away may answer as a replica. 2: sends the command again.
    reconnectOnError: (error) => (/(^|-)(READONLY|MASTERDOWN)\b/.test(error.message) ? (waits ? 2 : 1) : false),
  };
}

function openCluster(target: RedisTarget & { kind: 'cluster' }, options: RedisOptions): Cluster {
  const { retryStrategy, enableOfflineQueue = true, lazyConnect = false, maxRetriesPerRequest, ...further } = options;
  const waits = maxRetriesPerRequest === null;
  const clusterOptions: ClusterOptions = {
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: (attempt) => retryStrategy?.(attempt) ?? null,
    slotsRefreshInterval: SLOTS_EVERY_MS,
    slotsRefreshTimeout: SLOTS_WITHIN_MS,
    maxRedirections: waits ? MOST_TRIES : MOST_MOVES,
    retryDelayOnFailover: waits ? AGAIN_MS : 0,
    retryDelayOnClusterDown: waits ? AGAIN_MS : 0,
    retryDelayOnTryAgain: AGAIN_MS,
    // Certificates have names.
    dnsLookup: (name, callback) => callback(null, name),
    redisOptions: {
      ...further,
      ...loginOptions(target),
      ...(maxRetriesPerRequest === null && { maxRetriesPerRequest }),
    },
  };
  const cluster = new Cluster(
    target.hosts.map((host) => ({ ...host })),
    clusterOptions,
  );
  // A client that waits for nothing fails while it connects to a node: connect before the first command.
  cluster.on('+node', (node: Redis) => {
    if (!waits && node.options.readOnly !== true) node.connect().catch(() => undefined);
  });
  return cluster;
}

function loginOptions({ user, password, tls }: RedisTarget & { kind: 'sentinel' | 'cluster' }): RedisOptions {
  return {
    ...(user !== null && { username: user }),
    ...(password !== null && { password }),
    ...(tls && { tls: {} }),
  };
}

/** No number: no further attempt. */
function atMost(delayMs: number | void | null, mostMs: number): number | null {
  return typeof delayMs === 'number' ? Math.min(delayMs, mostMs) : null;
}
