import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { normalizeName } from '../../engine/dns/domain-name.js';
import { QueueConnection } from '../../platform/queues/queue-connection.js';
import { QueueProducer, type Queue } from '../../platform/queues/queue-producer.js';
import type { WorkQueue } from '../../platform/queues/work-queue.js';
import type { DueDomain } from '../store/domains.repository.js';

export class DomainCrawlPayload {
  @ValidateBy({
    name: 'isDomain',
    validator: {
      validate: (value) => typeof value === 'string' && isDomain(value),
      defaultMessage: () => 'it is no domain',
    },
  })
  readonly domain!: string;
}

/** In the form in which the rows have it. */
export function isDomain(text: string): boolean {
  return text.includes('.') && normalizeName(text) === text;
}

/** Crawls: one job per domain, however often it is asked for. The row in `domains` is the truth. */
export const DOMAIN_CRAWL_QUEUE: WorkQueue<DomainCrawlPayload> = {
  name: 'domain-crawl',
  payload: DomainCrawlPayload,
  // A domain holds neither a colon nor is it an integer.
  jobId: ({ domain }) => `crawl-${domain}`,
};

/** Somebody waits to see a domain for the first time; what is known already can wait. */
const CRAWL_PRIORITY = { first: 1, again: 2 } as const;

/** Tells workers of domains that are due. The rows must stand in MySQL before. */
@Injectable()
export class DomainCrawlProducer extends QueueProducer<DomainCrawlPayload> {
  constructor(@InjectQueue(DOMAIN_CRAWL_QUEUE.name) queue: Queue, connection: QueueConnection) {
    super(DOMAIN_CRAWL_QUEUE, queue, connection);
  }

  /**
   * Returns at once, never throws and never waits for Redis: what it does not take the reconciler puts there later.
   * @param overdue nothing was heard of them for too long: what is on the queue and has no place there is put there again
   */
  add(due: readonly DueDomain[], overdue = false): void {
    if (due.length === 0) return;
    this.enqueue(
      due.map(({ domain, first }) => ({
        payload: { domain },
        priority: CRAWL_PRIORITY[first ? 'first' : 'again'],
        hasten: overdue,
      })),
    );
  }
}
