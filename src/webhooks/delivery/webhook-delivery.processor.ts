import { OnWorkerEvent, Processor } from '@nestjs/bullmq';
import { QueueWorkerHost } from '../../platform/queues/queue-worker-host.js';
import { WorkerHostServices } from '../../platform/queues/worker-host-services.js';
import type { JobEnding } from '../../platform/queues/work-queue.js';
import { readObject } from '../../platform/validation/read-object.js';
import {
  WEBHOOK_DELIVERY_QUEUE,
  WebhookDeliveryPayload,
  WebhookDeliveryProducer,
} from '../outbox/webhook-delivery.queue.js';
import { DeliveryTurnsRepository } from './delivery-turns.repository.js';
import { DeliveryService } from './delivery.service.js';

/** Each mostly waits for its receiver. */
const ENDPOINTS_AT_ONCE = 100;

/** Serves the queue of endpoints with due deliveries. */
@Processor(WEBHOOK_DELIVERY_QUEUE.name, { autorun: false })
export class WebhookDeliveryProcessor extends QueueWorkerHost<WebhookDeliveryPayload> {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly turns: DeliveryTurnsRepository,
    private readonly producer: WebhookDeliveryProducer,
    services: WorkerHostServices,
  ) {
    super(WEBHOOK_DELIVERY_QUEUE, services, { concurrency: ENDPOINTS_AT_ONCE });
  }

  protected override handle({ endpointId }: WebhookDeliveryPayload, stop: AbortSignal): Promise<JobEnding> {
    return this.deliveries.run(endpointId, stop);
  }

  /** An event may have been written after the run had looked for the last time, and found the job still there. */
  @OnWorkerEvent('completed')
  protected lookAgain({ data }: { readonly data: unknown }): void {
    const { value, faults } = readObject(WebhookDeliveryPayload, data);
    if (faults === null) this.queueAgain(value.endpointId).catch((error: unknown) => this.trouble(error));
  }

  private async queueAgain(endpointId: string): Promise<void> {
    const turn = await this.turns.findTurn(endpointId);
    if (turn !== null) this.producer.queueEndpoints([{ endpointId, accountId: turn.accountId }], turn.dueMs);
  }
}
