import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { QUEUE_NAMES } from '../config/queue-names.js';
import { BackoffWorker } from './backoff-worker.js';
import { QueueConnection } from './queue-connection.js';
import { QueueConnectionModule } from './queue-connection.module.js';
import { QueueWithoutErrorLog } from './queue-without-error-log.js';

BullModule.queueClass = QueueWithoutErrorLog;
BullModule.workerClass = BackoffWorker;

/** Provides every queue for `@InjectQueue`, on one connection. */
@Module({
  imports: [
    QueueConnectionModule,
    BullModule.forRootAsync({ imports: [QueueConnectionModule], useExisting: QueueConnection }),
    BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
  ],
  exports: [QueueConnectionModule, BullModule],
})
export class QueueClientsModule {}
