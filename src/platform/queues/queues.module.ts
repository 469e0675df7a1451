import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { QUEUE_NAMES } from '../config/queue-names.js';
import { BackoffWorker } from './backoff-worker.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueConnection } from './queue-connection.js';
import { QueueWithoutErrorLog } from './queue-without-error-log.js';

BullModule.queueClass = QueueWithoutErrorLog;
BullModule.workerClass = BackoffWorker;

/** The one `QueueConnection` of a process. */
@Module({ providers: [QueueConnection], exports: [QueueConnection] })
class QueueConnectionModule {}

/** Every queue of a process for `@InjectQueue`, on one connection, and the repository of failed jobs. Needs `DatabaseModule`. */
@Module({
  imports: [
    QueueConnectionModule,
    BullModule.forRootAsync({ imports: [QueueConnectionModule], useExisting: QueueConnection }),
    BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
  ],
  providers: [FailedJobsRepository],
  exports: [QueueConnectionModule, BullModule, FailedJobsRepository],
})
export class QueuesModule {}
