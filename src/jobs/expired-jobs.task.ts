import { Injectable } from '@nestjs/common';
import { PurgeTask, type Purge } from '../platform/queues/purge-task.js';
import { deleteJobRows } from './delete-job-rows.js';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';

/** Deletes jobs that are expired or were deleted by their owners (decisions 7.2). */
@Injectable()
export class ExpiredJobsTask extends PurgeTask {
  readonly name = 'delete-expired-jobs';
  readonly everyMs = 60_000;
  protected override readonly purges: readonly Purge[] = [
    async (limit, goesOn) => {
      const jobs = await this.expired.findExpired(limit);
      for (const job of jobs) if (!(await deleteJobRows(this.expired, job, goesOn))) break;
      return jobs.length;
    },
  ];

  constructor(private readonly expired: ExpiredJobsRepository) {
    super();
  }
}
