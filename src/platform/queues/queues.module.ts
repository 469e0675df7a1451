import { Module } from '@nestjs/common';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueClientsModule } from './queue-clients.module.js';

/** The queues of a process and the repository of failed jobs. Needs `DatabaseModule`. */
@Module({
  imports: [QueueClientsModule],
  providers: [FailedJobsRepository],
  exports: [QueueClientsModule, FailedJobsRepository],
})
export class QueuesModule {}
