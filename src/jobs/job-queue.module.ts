import { Module } from '@nestjs/common';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { JobBatchProducer } from './job-batch.queue.js';

/** Queues jobs for the worker, and processes none. Needs `DatabaseModule`. */
@Module({ imports: [QueuesModule], providers: [JobBatchProducer], exports: [JobBatchProducer] })
export class JobQueueModule {}
