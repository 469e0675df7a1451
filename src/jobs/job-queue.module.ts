import { Module } from '@nestjs/common';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { JobBatchProducer } from './job-batch.queue.js';

/** Leaves jobs to the worker. Serves no queue. Needs `DatabaseModule`. */
@Module({ imports: [QueuesModule], providers: [JobBatchProducer], exports: [JobBatchProducer] })
export class JobQueueModule {}
