import { Injectable } from '@nestjs/common';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { MaintenanceTask } from './maintenance-task.js';

/** Most batches of one run; the next run continues. */
const MAX_BATCHES = 1000;

/** Deletes old records of failed jobs. */
@Injectable()
export class FailedJobsTask extends MaintenanceTask {
  readonly name = 'delete-old-failed-jobs';
  readonly everyMs = 60 * 60_000;

  constructor(private readonly jobs: FailedJobsRepository) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
      if (!(await this.jobs.deleteOld())) return;
    }
  }
}
