import { Queue, type QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_NAMES } from '../config/queue-names.js';

/** Prefix of all our queue keys; the braces keep them in one slot of a cluster. */
export const QUEUE_PREFIX = '{mailvet}';

/** The queue that `BullModule` creates for each name. It logs no connection errors: the connection does. */
export class QueueWithoutErrorLog extends Queue {
  constructor(name: string, options: QueueOptions) {
    super(name, options);
    this.on('error', () => undefined);
  }
}

/** Opens every queue for a command. */
export function openQueues(redis: Redis): readonly Queue[] {
  return QUEUE_NAMES.map((name) => new QueueWithoutErrorLog(name, { connection: redis, prefix: QUEUE_PREFIX }));
}
