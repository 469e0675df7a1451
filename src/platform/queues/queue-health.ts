import { Injectable } from '@nestjs/common';
import { HealthDetails } from '../health/health-details.js';
import type { PeriodicTask } from '../scheduling/periodic-task.js';
import { QueueConnection } from './queue-connection.js';
import type { WatchedQueue } from './queue-watch.js';

/** Shows the queues that a worker serves in `/health/ready`. */
@Injectable()
export class QueueHealth {
  constructor(
    private readonly health: HealthDetails,
    private readonly connection: QueueConnection,
  ) {}

  /**
   * @param reconciler looks after the rows of the queue
   * @param what names these rows, for operators
   * @param warnings further ones of the process
   */
  add(
    processor: Pick<WatchedQueue, 'name' | 'active'>,
    reconciler: Pick<PeriodicTask, 'lastFinishedAt' | 'failing'>,
    what: string,
    warnings: () => readonly string[] = () => [],
  ): void {
    this.health.add(processor.name, () => ({
      state: {
        active: processor.active,
        reachable: this.connection.isReady,
        reconciled_at: reconciler.lastFinishedAt?.toISOString() ?? null,
      },
      warnings: [...warnings(), ...(reconciler.failing ? [`${what} are not looked after: the log says why`] : [])],
    }));
  }
}
