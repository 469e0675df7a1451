import { Module } from '@nestjs/common';
import { FailedJobsTask } from './failed-jobs.task.js';
import { QueuesModule } from './queues.module.js';

/** Maintenance tasks of the queues, for the worker. */
@Module({ imports: [QueuesModule], providers: [FailedJobsTask] })
export class QueuesMaintenanceModule {}
