import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { QueueConnection } from '../../platform/queues/queue-connection.js';
import { QueueProducer, type Queue } from '../../platform/queues/queue-producer.js';
import type { DueDomain } from '../store/domains.repository.js';
import { CRAWL_PRIORITY, DOMAIN_CRAWL_QUEUE, type DomainCrawlPayload } from './domain-crawl.queue.js';

/** Tells workers of domains that are due. The rows must stand in MySQL before. */
@Injectable()
export class CrawlQueue extends QueueProducer<DomainCrawlPayload> {
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
