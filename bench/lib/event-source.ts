import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { EndpointsService } from '../../src/webhooks/endpoints/endpoints.service.js';
import { OutboxRepository } from '../../src/webhooks/outbox/outbox.repository.js';
import { WebhookDeliveryProducer } from '../../src/webhooks/outbox/webhook-delivery.queue.js';

/** An account that has events to report, written and queued as features do it. */
export class EventSource {
  constructor(
    private readonly api: NestFastifyApplication,
    private readonly accountId: string,
  ) {}

  async addEndpoint(url: string): Promise<void> {
    const wanted = { mode: 'live', url, events: ['job.completed'], low: null } as const;
    await this.of(EndpointsService).create(this.accountId, wanted, 'bench');
  }

  async report(data: object): Promise<void> {
    const event = { accountId: this.accountId, mode: 'live', type: 'job.completed', data: () => data } as const;
    const due = await this.of(DataSource).transaction('READ COMMITTED', (transaction) =>
      this.of(OutboxRepository).writeWithin(transaction, event),
    );
    this.of(WebhookDeliveryProducer).queueEndpoints(due);
  }

  /** Deletes the endpoints: nothing more is sent to them. */
  async close(): Promise<void> {
    const endpoints = this.of(EndpointsService);
    for (const { id } of await endpoints.list(this.accountId)) {
      await endpoints.delete({ accountId: this.accountId, id }, 'bench');
    }
  }

  private of<T>(part: abstract new (...parts: never[]) => T): T {
    return this.api.get(part as never, { strict: false });
  }
}
