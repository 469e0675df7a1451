import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX } from './maintenance.queue.js';
import { QUEUE_NAMES } from '../config/queue-names.js';

/** Every queue, for whoever looks at them and puts nothing there. */
export class AllQueues {
  private queues: readonly Queue[] | null = null;

  /** @param redis waits for its server: whoever asks sets a deadline */
  constructor(readonly redis: Redis) {}

  /** Made when first asked for: they wait for their server from then on. */
  open(): readonly Queue[] {
    this.queues ??= QUEUE_NAMES.map((name) => {
      const queue = new Queue(name, { connection: this.redis, prefix: QUEUE_PREFIX });
      queue.on('error', () => undefined);
      return queue;
    });
    return this.queues;
  }
}
