import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { QUEUE_NAMES } from '../config/queue-names.js';
import { PatientWorker } from './patient-worker.js';
import { QueueConnection } from './queue-connection.js';
import { QueueConnectionModule } from './queue-connection.module.js';
import { QuietQueue } from './quiet-queue.js';

BullModule.queueClass = QuietQueue;
BullModule.workerClass = PatientWorker;

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
