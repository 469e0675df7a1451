import { Queue, type QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_NAMES } from '../config/queue-names.js';

/** Of all keys of our queues; the braces keep them in one slot of a cluster. */
export const QUEUE_PREFIX = '{mailvet}';

/** The queue that `BullModule` makes for each name. It keeps quiet where its connection fails: the connection says so itself. */
export class QuietQueue extends Queue {
  constructor(name: string, options: QueueOptions) {
    super(name, options);
    this.on('error', () => undefined);
  }
}

/** Every queue, for a command. */
export function openQueues(redis: Redis): readonly Queue[] {
  return QUEUE_NAMES.map((name) => new QuietQueue(name, { connection: redis, prefix: QUEUE_PREFIX }));
}
