import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { JOB_BATCH_QUEUE } from '../job-batch.queue.js';
import { OutcomesRepository } from '../outcomes/outcomes.repository.js';
import { closeJob } from './close-job.repository.js';
import { takeOpen } from './open-entries.repository.js';

/** Ends jobs before their work is done. */
@Injectable()
export class JobEndingRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outcomes: OutcomesRepository,
    private readonly failedJobs: FailedJobsRepository,
  ) {}

  closeJob(jobId: string): Promise<void> {
    return closeJob(this.dataSource, jobId);
  }

  /**
   * Refunds some of the open entries.
   * @param why recorded as a failed job with the first open entries; null: it is on record
   */
  refundSome(jobId: string, why: string | null): Promise<{ readonly some: number; readonly isLast: boolean }> {
    const job = idToBytes(jobId);
    return retriedTransaction(this.dataSource, async (transaction) => {
      const positions = await takeOpen(transaction, job);
      if (positions.length > 0) {
        const outcome = { kind: 'unavailable', positions } as const;
        await this.outcomes.storeWithin(transaction, jobId, { outcomes: [outcome], checks: [] });
      }
      if (positions.length > 0 && why !== null) {
        await this.failedJobs.insertWithin(transaction, {
          queue: JOB_BATCH_QUEUE.name,
          jobId: JOB_BATCH_QUEUE.jobId({ kind: 'plan', jobId }),
          why,
          details: null,
        });
      }
      return { some: positions.length, isLast: positions.length === 0 };
    });
  }
}
