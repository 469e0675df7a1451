import { Module } from '@nestjs/common';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { FailedJobsTask } from './failed-jobs.task.js';
import { QueuesModule } from './queues.module.js';

/** What queues have done in the background, for the worker. */
@Module({
  imports: [QueuesModule],
  providers: [
    {
      provide: FailedJobsTask,
      inject: [FailedJobsRepository],
      useFactory: (jobs: FailedJobsRepository) => new FailedJobsTask(jobs),
    },
  ],
  exports: [FailedJobsTask],
})
export class QueuesMaintenanceModule {}
