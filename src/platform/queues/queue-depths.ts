import { Injectable } from '@nestjs/common';
import type { QueueName } from '../config/queue-names.js';
import { BoundedReading } from '../metrics-endpoint/bounded-reading.js';
import { AllQueues } from './all-queues.js';
import type { PartedQueue } from './queue-parts.js';

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

export async function readDepths(queues: readonly PartedQueue[]): Promise<ReadonlyMap<QueueName, QueueDepth>> {
  const depths = await Promise.all(
    queues.map(async ({ name, parts }): Promise<[QueueName, QueueDepth]> => {
      const counts = await Promise.all(
        parts.map((part) => part.getJobCounts('waiting', 'prioritized', 'active', 'delayed')),
      );
      const sum = (state: string): number => counts.reduce((total, { [state]: jobs = 0 }) => total + jobs, 0);
      return [name, { waiting: sum('waiting') + sum('prioritized'), active: sum('active'), delayed: sum('delayed') }];
    }),
  );
  return new Map(depths);
}
