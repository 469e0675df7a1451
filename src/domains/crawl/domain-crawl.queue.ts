import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, ValidateBy } from 'class-validator';
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

  /** A caller waits: the crawl ends within a few seconds, and leaves for later what it has not found out by then. */
  @IsOptional()
  @IsBoolean()
  readonly awaited?: boolean;
}

/** Domain names as they are in the rows. */
export function isDomain(text: string): boolean {
  return text.includes('.') && normalizeName(text) === text;
}

/** The crawl queue: one job per domain, however often it is requested. The row in `domains` is authoritative. */
export const DOMAIN_CRAWL_QUEUE: WorkQueue<DomainCrawlPayload> = {
  name: 'domain-crawl',
  payload: DomainCrawlPayload,
  // A domain is a valid job id: it has no colon and is not an integer.
  jobId: ({ domain }) => `crawl-${domain}`,
};

/** Known domains can wait: they take turns with the accounts whose domains are crawled for the first time. */
const AGAIN = { flow: 'again' };

/** Queues due domains for workers. Their rows must be committed in MySQL first. */
@Injectable()
export class DomainCrawlProducer extends QueueProducer<DomainCrawlPayload> {
  constructor(@InjectQueue(DOMAIN_CRAWL_QUEUE.name) queue: Queue, connection: QueueConnection) {
    super(DOMAIN_CRAWL_QUEUE, queue, connection);
  }

  /** Queues the crawl of a due domain that a caller waits for. Returns at once and never throws. */
  queueAwaitedCrawl(domain: string, account: string): void {
    this.enqueue([{ payload: { domain, awaited: true }, priority: { flow: `${account}:awaited` } }]);
  }

  /**
   * Accounts take turns, and those of an account that callers wait for with its others. Returns at once, never throws and
   * never waits for Redis: the reconciler queues later what Redis does not accept.
   * @param due each with the account that asks about it, where that is known
   * @param overdue nothing was heard of these jobs for too long: replace any that are no longer really queued
   */
  queueCrawls(due: readonly (DueDomain & { readonly account?: string })[], overdue = false): void {
    if (due.length === 0) return;
    this.enqueue(
      due.map(({ domain, first, account = '' }) => ({
        payload: { domain },
        priority: first ? { flow: account } : AGAIN,
        hasten: overdue,
      })),
    );
  }
}
