import { Processor } from '@nestjs/bullmq';
import { QueueWorkerHost } from '../../platform/queues/queue-worker-host.js';
import { WorkerHostServices } from '../../platform/queues/worker-host-services.js';
import type { JobEnding } from '../../platform/queues/work-queue.js';
import { WEBHOOK_DELIVERY_QUEUE, type WebhookDeliveryPayload } from '../outbox/webhook-delivery.queue.js';
import { DeliveryService } from './delivery.service.js';

/** Each mostly waits for its receiver. */
const ENDPOINTS_AT_ONCE = 100;

/** Serves the queue of endpoints with due deliveries. */
@Processor(WEBHOOK_DELIVERY_QUEUE.name, { autorun: false })
export class WebhookDeliveryProcessor extends QueueWorkerHost<WebhookDeliveryPayload> {
  constructor(
    private readonly deliveries: DeliveryService,
    services: WorkerHostServices,
  ) {
    super(WEBHOOK_DELIVERY_QUEUE, services, { concurrency: ENDPOINTS_AT_ONCE });
  }

  protected override handle({ endpointId }: WebhookDeliveryPayload, stop: AbortSignal): Promise<JobEnding> {
    return this.deliveries.run(endpointId, stop);
  }
}
