import { Injectable } from '@nestjs/common';
import { MaintenanceTask } from '../platform/queues/maintenance-task.js';
import { deleteJobRows } from './delete-job-rows.js';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';

const JOBS = 50;
/** Maximum duration of a run: other tasks of the queue wait meanwhile. */
const MAX_RUN_MS = 10_000;

/** Deletes jobs that are expired or were deleted by their owners (decisions 7.2). */
@Injectable()
export class ExpiredJobsTask extends MaintenanceTask {
  readonly name = 'delete-expired-jobs';
  readonly everyMs = 60_000;

  constructor(private readonly expired: ExpiredJobsRepository) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    const goesOn = (): boolean => !signal.aborted && performance.now() < until;
    for (;;) {
      const jobs = await this.expired.findExpired(JOBS);
      for (const job of jobs) {
        if (!(await deleteJobRows(this.expired, job, goesOn))) return;
      }
      if (jobs.length < JOBS) return;
    }
  }
}
