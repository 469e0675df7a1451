import type { AllQueues } from './all-queues.js';
import type { QueueName } from '../config/queue-names.js';

export interface QueueDepth {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** How many jobs every queue holds. */
export class QueueDepths {
  constructor(private readonly queues: AllQueues) {}

  async read(): Promise<ReadonlyMap<QueueName, QueueDepth>> {
    const depths = await Promise.all(
      this.queues.open().map(async (queue): Promise<[QueueName, QueueDepth]> => {
        const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
        return [queue.name as QueueName, { waiting: waiting + prioritized, active, delayed }];
      }),
    );
    return new Map(depths);
  }
}
