import { Injectable } from '@nestjs/common';
import { PurgeEvery } from '../platform/queues/purge-every.js';
import { deleteJobRows } from './delete-job-rows.js';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';

@Injectable()
export class ExpiredJobsService {
  constructor(private readonly expired: ExpiredJobsRepository) {}

  /** Deletes jobs that are expired or were deleted by their owners (decisions 7.2). */
  @PurgeEvery(60_000, 'delete-expired-jobs')
  async deleteExpired(limit: number, goesOn: () => boolean): Promise<number> {
    const jobs = await this.expired.findExpired(limit);
    for (const job of jobs) if (!(await deleteJobRows(this.expired, job, goesOn))) break;
    return jobs.length;
  }
}
