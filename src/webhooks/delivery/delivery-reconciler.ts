import { Injectable, Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import { WebhookDeliveryProducer } from '../outbox/webhook-delivery.queue.js';
import { DeliveryTurnsRepository } from './delivery-turns.repository.js';

/** Endpoints of one run; the next run continues. */
const PAGE = 5000;

/** Queues the endpoints whose deliveries are due according to MySQL, even if Redis has lost them. Every worker of the queue runs it. */
@Injectable()
export class DeliveryReconciler extends PeriodicTask {
  protected readonly logger = new Logger('Reconciler');
  protected readonly failureMessage = 'due webhook deliveries could not be looked after; trying again';
  private last: string | null = null;

  constructor(
    private readonly turns: DeliveryTurnsRepository,
    private readonly queue: WebhookDeliveryProducer,
  ) {
    super();
  }

  protected override async runOnce(): Promise<void> {
    const page = await this.turns.dueEndpoints(this.last, PAGE);
    this.last = page.length < PAGE ? null : (page.at(-1)?.endpointId ?? null);
    this.queue.queueEndpoints(page.filter(({ isDue }) => isDue));
  }
}
