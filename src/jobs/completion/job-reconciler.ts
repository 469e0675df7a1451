import { Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import type { JobBatchProducer } from '../job-batch.queue.js';
import type { JobEnder } from './job-ender.js';
import type { JobReconciliationRepository } from './reconciliation.repository.js';

export interface JobReconcilerParts {
  readonly repository: Pick<JobReconciliationRepository, 'takeDue' | 'takeIdle' | 'overdue'>;
  readonly ender: Pick<JobEnder, 'end'>;
  readonly queue: Pick<JobBatchProducer, 'again'>;
}

/** In one round; there is a next one. */
const MAX_CHUNKS = 1000;
const MAX_JOBS = 100;
const MAX_OVERDUE = 5;

/**
 * Sees to it that every job is completed, by MySQL alone, whatever Redis has lost (decisions 7.1): puts what is unfinished
 * on the queue again, and ends jobs after a day. It runs in every worker that serves the queue; several do no harm.
 */
export class JobReconciler extends PeriodicTask {
  protected readonly logger = new Logger('Reconciler');
  protected readonly failureMessage = 'jobs could not be looked after; trying again';

  constructor(private readonly parts: JobReconcilerParts) {
    super();
  }

  protected override async runOnce(): Promise<void> {
    const { repository, queue } = this.parts;
    const chunks = await repository.takeDue(MAX_CHUNKS);
    queue.again({ chunks, toPlan: [], toShape: [] });
    queue.again({ chunks: [], ...(await repository.takeIdle(MAX_JOBS)) });
    await this.endOverdue();
  }

  private async endOverdue(): Promise<void> {
    const { repository, ender } = this.parts;
    for (const jobId of await repository.overdue(MAX_OVERDUE)) {
      if (this.stopped) return;
      await ender.end(jobId, 'it was not completed within a day');
    }
  }
}
