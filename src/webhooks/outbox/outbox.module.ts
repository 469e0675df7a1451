import { Module } from '@nestjs/common';
import { QueuesModule } from '../../platform/queues/queues.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { OutboxRepository } from './outbox.repository.js';
import { WebhookDeliveryProducer } from './webhook-delivery.queue.js';

/** For features that report events. */
@Module({
  imports: [QueuesModule, SealingModule],
  providers: [OutboxRepository, WebhookDeliveryProducer],
  exports: [OutboxRepository, WebhookDeliveryProducer],
})
export class OutboxModule {}
