import { Module } from '@nestjs/common';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';
import { ExpiredJobsTask } from './expired-jobs.task.js';
import { JobRepository } from './job.repository.js';

/** Stores jobs in the database, for any role. Needs `DatabaseModule`. */
@Module({
  providers: [JobRepository, ExpiredJobsRepository, ExpiredJobsTask],
  exports: [JobRepository, ExpiredJobsTask],
})
export class JobStoreModule {}
