import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntryEntity } from '../../platform/audit/audit-entry.entity.js';
import { QueueHealth } from '../../platform/queues/queue-health.js';
import { QueueWorkerModule } from '../../platform/queues/queue-worker.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { DeliveryEndingsRepository } from './delivery-endings.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryReconciler } from './delivery-reconciler.js';
import { DeliverySender } from './delivery-sender.js';
import { DeliveryService } from './delivery.service.js';
import { DeliveryTurnsRepository } from './delivery-turns.repository.js';
import { WebhookDeliveryProcessor } from './webhook-delivery.processor.js';

/** Sends events to endpoints. Needs `DatabaseModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [OutboxModule, QueueWorkerModule, SealingModule, TypeOrmModule.forFeature([AuditEntryEntity])],
  providers: [
    DeliveryTurnsRepository,
    DeliveryEndingsRepository,
    DeliverySender,
    DeliveryMetrics,
    DeliveryService,
    DeliveryReconciler,
    WebhookDeliveryProcessor,
  ],
})
export class WebhookWorkerModule {
  constructor(processor: WebhookDeliveryProcessor, reconciler: DeliveryReconciler, health: QueueHealth) {
    health.add(processor, reconciler, 'webhook deliveries');
  }
}
