import { Module } from '@nestjs/common';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';
import { JobBatchProducer } from './job-batch.queue.js';
import { JobRepository } from './job.repository.js';

/** Stores jobs in the database and queues them for the worker, for any role. Needs `DatabaseModule`. */
@Module({
  imports: [QueuesModule],
  providers: [JobBatchProducer, JobRepository, ExpiredJobsRepository],
  exports: [JobBatchProducer, JobRepository],
})
export class JobStoreModule {}
