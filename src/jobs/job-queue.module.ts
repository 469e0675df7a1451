import { Module } from '@nestjs/common';
import { QueueConnection } from '../platform/queues/queue-connection.js';
import { QueueProducer } from '../platform/queues/queue-producer.js';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { JOB_BATCH_QUEUE, type JobBatchPayload } from './job-batch.queue.js';
import { JobQueue } from './job-queue.js';

/** Leaves jobs to the worker. Serves no queue. Needs `DatabaseModule`. */
@Module({
  imports: [QueuesModule],
  providers: [
    {
      provide: QueueProducer,
      inject: [QueueConnection],
      useFactory: (connection: QueueConnection) => new QueueProducer(connection, JOB_BATCH_QUEUE),
    },
    {
      provide: JobQueue,
      inject: [QueueProducer],
      useFactory: (producer: QueueProducer<JobBatchPayload>) => new JobQueue(producer),
    },
  ],
  exports: [JobQueue],
})
export class JobQueueModule {}
