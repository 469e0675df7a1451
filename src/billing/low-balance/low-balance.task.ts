import { Injectable } from '@nestjs/common';
import { MaintenanceEvery } from '../../platform/queues/maintenance-every.js';
import { WebhookDeliveryProducer } from '../../webhooks/outbox/webhook-delivery.queue.js';
import { LowBalanceRepository } from './low-balance.repository.js';

/** Endpoints of one run; the next run continues. */
const AT_ONCE = 500;

/** Tells accounts that their balance is low. A charge knows nothing of it. */
@Injectable()
export class LowBalanceTask {
  constructor(
    private readonly balances: LowBalanceRepository,
    private readonly queue: WebhookDeliveryProducer,
  ) {}

  @MaintenanceEvery(10_000, 'report-low-balances')
  async run(signal: AbortSignal): Promise<void> {
    for (const endpointId of await this.balances.crossed(AT_ONCE)) {
      if (signal.aborted) return;
      const due = await this.balances.settle(endpointId);
      if (due !== null) this.queue.queueEndpoints([due]);
    }
  }
}
