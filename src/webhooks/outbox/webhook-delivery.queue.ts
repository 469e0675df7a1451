import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { QueueConnection } from '../../platform/queues/queue-connection.js';
import { QueueProducer, type Queue } from '../../platform/queues/queue-producer.js';
import type { WorkQueue } from '../../platform/queues/work-queue.js';
import { IsId } from '../../platform/validation/is-id.js';

export class WebhookDeliveryPayload {
  @IsId()
  readonly endpointId!: string;
}

/** One job per endpoint, however many deliveries wait for it. Their rows in `webhook_deliveries` are authoritative. */
export const WEBHOOK_DELIVERY_QUEUE: WorkQueue<WebhookDeliveryPayload> = {
  name: 'webhook-delivery',
  payload: WebhookDeliveryPayload,
  jobId: ({ endpointId }) => `endpoint-${endpointId}`,
};

/** An endpoint with something to send. */
export interface DueEndpoint {
  readonly endpointId: string;
  readonly accountId: string;
}

/** Queues endpoints for workers. Their deliveries must be committed in MySQL first. */
@Injectable()
export class WebhookDeliveryProducer extends QueueProducer<WebhookDeliveryPayload> {
  constructor(@InjectQueue(WEBHOOK_DELIVERY_QUEUE.name) queue: Queue, connection: QueueConnection) {
    super(WEBHOOK_DELIVERY_QUEUE, queue, connection);
  }

  /**
   * Returns at once, never throws and never waits for Redis: the reconciler queues later what Redis does not accept.
   * Accounts take turns.
   * @param delayMs until the deliveries are due; 0: an endpoint that waits for a retry waits no longer
   */
  queueEndpoints(due: readonly DueEndpoint[], delayMs = 0): void {
    if (due.length === 0) return;
    this.enqueue(
      due.map(({ endpointId, accountId }) => ({
        payload: { endpointId },
        priority: { flow: accountId },
        delayMs,
        hasten: delayMs === 0,
      })),
    );
  }
}
