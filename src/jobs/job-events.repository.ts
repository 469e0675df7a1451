import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppConfig } from '../platform/config/app-config.js';
import { OutboxRepository } from '../webhooks/outbox/outbox.repository.js';
import { WebhookDeliveryProducer, type DueEndpoint } from '../webhooks/outbox/webhook-delivery.queue.js';
import { toJobSummary } from './job-head.js';
import type { DataOwner } from '../auth/caller.js';
import type { Job } from './job.js';

/** Writes `job.completed` in the transaction that completes a job. */
@Injectable()
export class JobEventsRepository {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly webhooks: WebhookDeliveryProducer,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param readJob the completed job
   * @param dueAt when a sandbox job completes by itself; left out: now
   * @returns the endpoints to queue after the commit
   */
  writeWithin(
    transaction: EntityManager,
    { accountId, sandbox }: DataOwner,
    readJob: () => Job | Promise<Job>,
    dueAt?: Date,
  ): Promise<readonly DueEndpoint[]> {
    return this.outbox.writeWithin(transaction, {
      accountId,
      mode: sandbox ? 'test' : 'live',
      type: 'job.completed',
      data: async () => {
        const job = await readJob();
        return { ...toJobSummary(job), url: `${this.config.publicUrl}/v1/verify/jobs/${job.id}` };
      },
      ...(dueAt !== undefined && { dueAt }),
    });
  }

  /** @param delayMs until they are due */
  queue(due: readonly DueEndpoint[], delayMs = 0): void {
    this.webhooks.queueEndpoints(due, delayMs);
  }
}
