import { Injectable } from '@nestjs/common';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { PurgeTask } from './purge-task.js';

/** Deletes old records of failed jobs, and earlier their details. */
@Injectable()
export class FailedJobsTask extends PurgeTask {
  readonly name = 'delete-old-failed-jobs';
  readonly everyMs = 60 * 60_000;
  protected override readonly purges = [
    (limit: number) => this.jobs.deleteOld(limit),
    (limit: number) => this.jobs.clearOldDetails(limit),
  ];

  constructor(private readonly jobs: FailedJobsRepository) {
    super();
  }
}
