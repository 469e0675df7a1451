import { Injectable, Logger } from '@nestjs/common';
import { WebhookDeliveryProducer } from '../../webhooks/outbox/webhook-delivery.queue.js';
import type { Month } from '../month.js';
import { ExhaustedQuotasRepository } from './exhausted-quotas.repository.js';

/** Accounts that this process remembers to have told. */
const MAX_TOLD = 10_000;

/** Reports quotas that are used up, in the background. A process asks the database once for each account and month. */
@Injectable()
export class ExhaustedQuotas {
  private readonly logger = new Logger('Billing');
  private readonly told = new Set<string>();

  constructor(
    private readonly repository: ExhaustedQuotasRepository,
    private readonly queue: WebhookDeliveryProducer,
  ) {}

  /** Returns at once and never throws. */
  note(accountId: string, month: Month, perMonth: number): void {
    const key = `${accountId} ${month}`;
    if (this.told.has(key)) return;
    if (this.told.size >= MAX_TOLD) this.told.clear();
    this.told.add(key);
    this.repository.report(accountId, month, perMonth).then(
      (due) => this.queue.queueEndpoints(due),
      (err: unknown) => {
        // The next refused call reports it.
        this.told.delete(key);
        this.logger.warn({ err }, 'a used-up quota could not be reported');
      },
    );
  }
}
