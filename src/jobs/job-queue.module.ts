import { Module } from '@nestjs/common';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { JobQueue } from './job-queue.js';

/** Leaves jobs to the worker. Serves no queue. Needs `DatabaseModule`. */
@Module({ imports: [QueuesModule], providers: [JobQueue], exports: [JobQueue] })
export class JobQueueModule {}
