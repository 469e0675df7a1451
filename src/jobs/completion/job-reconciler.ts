import { Injectable, Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import { JobBatchProducer } from '../job-batch.queue.js';
import { JobEnder } from './job-ender.js';
import { JobReconciliationRepository } from './reconciliation.repository.js';

/** Bounds of one run; the next run continues. */
const MAX_CHUNKS = 1000;
const MAX_JOBS = 100;
const MAX_OVERDUE = 5;

/**
 * Completes every job from MySQL alone, even if Redis lost its queue (decisions 7.1): queues unfinished chunks again, and ends
 * jobs after a day. Every worker that serves the queue runs one; several do no harm.
 */
@Injectable()
export class JobReconciler extends PeriodicTask {
  protected readonly logger = new Logger('Reconciler');
  protected readonly failureMessage = 'jobs could not be reconciled; trying again';

  constructor(
    private readonly repository: JobReconciliationRepository,
    private readonly ender: JobEnder,
    private readonly queue: JobBatchProducer,
  ) {
    super();
  }

  protected override async runOnce(): Promise<void> {
    const { repository, queue } = this;
    const chunks = await repository.takeDue(MAX_CHUNKS);
    queue.requeue({ chunks, toPlan: [], toWrite: [] });
    queue.requeue({ chunks: [], ...(await repository.takeIdle(MAX_JOBS)) });
    await this.endOverdue();
  }

  private async endOverdue(): Promise<void> {
    const { repository, ender } = this;
    for (const jobId of await repository.overdue(MAX_OVERDUE)) {
      if (this.stopped) return;
      await ender.endJob(jobId, 'the job was not completed within a day');
    }
  }
}
