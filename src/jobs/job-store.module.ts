import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';
import { ExpiredJobsTask } from './expired-jobs.task.js';
import { JobChunkEntity } from './job-chunk.entity.js';
import { JobEntryEntity } from './job-entry.entity.js';
import { JobOutcomesEntity } from './job-outcomes.entity.js';
import { JobResultsEntity } from './job-results.entity.js';
import { JobEntity } from './job.entity.js';
import { JobRepository } from './job.repository.js';

/** Stores jobs in the database, for any role. Needs `DatabaseModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([JobEntity, JobEntryEntity, JobChunkEntity, JobOutcomesEntity, JobResultsEntity])],
  providers: [JobRepository, ExpiredJobsRepository, ExpiredJobsTask],
  exports: [JobRepository, ExpiredJobsTask],
})
export class JobStoreModule {}
