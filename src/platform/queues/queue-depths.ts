import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX } from './maintenance.queue.js';
import { QUEUE_NAMES, type QueueName } from './queue-names.js';

export interface QueueDepth {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** How many jobs every queue holds. */
export class QueueDepths {
  private queues: readonly Queue[] | null = null;

  /** @param redis waits for its server: whoever asks sets a deadline */
  constructor(private readonly redis: Redis) {}

  async read(): Promise<ReadonlyMap<QueueName, QueueDepth>> {
    const depths = await Promise.all(
      this.open().map(async (queue): Promise<[QueueName, QueueDepth]> => {
        const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
        return [queue.name as QueueName, { waiting: waiting + prioritized, active, delayed }];
      }),
    );
    return new Map(depths);
  }

  /** Made when first asked for: they wait for their server from then on. */
  private open(): readonly Queue[] {
    this.queues ??= QUEUE_NAMES.map((name) => {
      const queue = new Queue(name, { connection: this.redis, prefix: QUEUE_PREFIX });
      queue.on('error', () => undefined);
      return queue;
    });
    return this.queues;
  }
}
