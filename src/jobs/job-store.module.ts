import { Module } from '@nestjs/common';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';
import { ExpiredJobsService } from './expired-jobs.service.js';
import { JobRepository } from './job.repository.js';

/** Stores jobs in the database, for any role. Needs `DatabaseModule`. */
@Module({
  providers: [JobRepository, ExpiredJobsRepository, ExpiredJobsService],
  exports: [JobRepository],
})
export class JobStoreModule {}
