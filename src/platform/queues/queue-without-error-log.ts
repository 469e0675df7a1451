import { Queue, type QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_NAMES } from '../config/queue-names.js';
import { partNames, type PartedQueue, type QueueParts } from './queue-parts.js';

/** Prefix of the keys of all queues on one server. */
export const QUEUE_PREFIX = '{mailvet}';

/** In a cluster each queue has a hash tag of its own: the queues spread over the nodes, the keys of one stay together. */
function queuePrefix(redis: Redis, name: string): string {
  return redis.isCluster ? `{mailvet:${name}}` : QUEUE_PREFIX;
}

/** The queue that `BullModule` creates for each name. It logs no connection errors: the connection does. */
export class QueueWithoutErrorLog extends Queue {
  constructor(name: string, options: QueueOptions) {
    super(name, { ...options, prefix: queuePrefix(options.connection as Redis, name) });
    this.on('error', () => undefined);
  }
}

/** Opens every queue for a command. */
export function openQueues(redis: Redis, parts: QueueParts): readonly PartedQueue[] {
  return QUEUE_NAMES.map((name) => ({ name, parts: openParts(redis, partNames(name, parts)) }));
}

export function openParts(redis: Redis, names: readonly string[]): readonly Queue[] {
  return names.map((name) => new QueueWithoutErrorLog(name, { connection: redis }));
}
