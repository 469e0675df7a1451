import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { QueueName } from '../config/queue-names.js';
import { BoundedReading } from '../metrics-endpoint/bounded-reading.js';
import { AllQueues } from './all-queues.js';

export interface QueueDepth {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** Number of jobs in every queue; callers within a few seconds share one reading. */
@Injectable()
export class QueueDepths {
  private readonly reading: BoundedReading<ReadonlyMap<QueueName, QueueDepth>>;

  constructor(queues: AllQueues) {
    this.reading = new BoundedReading(() => readDepths(queues.list()));
  }

  /** Null: Redis did not answer in time. Never rejects. */
  read(): Promise<ReadonlyMap<QueueName, QueueDepth> | null> {
    return this.reading.read();
  }
}

export async function readDepths(queues: readonly Queue[]): Promise<ReadonlyMap<QueueName, QueueDepth>> {
  const depths = await Promise.all(
    queues.map(async (queue): Promise<[QueueName, QueueDepth]> => {
      const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      return [queue.name as QueueName, { waiting: waiting + prioritized, active, delayed }];
    }),
  );
  return new Map(depths);
}
