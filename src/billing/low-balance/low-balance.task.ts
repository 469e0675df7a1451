import { Injectable } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { WebhookDeliveryProducer } from '../../webhooks/outbox/webhook-delivery.queue.js';
import { LowBalanceRepository } from './low-balance.repository.js';

/** Endpoints of one run; the next run continues. */
const AT_ONCE = 500;

/** Tells accounts that their balance is low. A charge knows nothing of it. */
@Injectable()
export class LowBalanceTask extends MaintenanceTask {
  readonly name = 'report-low-balances';
  readonly everyMs = 10_000;

  constructor(
    private readonly balances: LowBalanceRepository,
    private readonly queue: WebhookDeliveryProducer,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    for (const endpointId of await this.balances.crossed(AT_ONCE)) {
      if (signal.aborted) return;
      const due = await this.balances.settle(endpointId);
      if (due !== null) this.queue.queueEndpoints([due]);
    }
  }
}
