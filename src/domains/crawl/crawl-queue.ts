import type { QueueProducer } from '../../platform/queues/queue-producer.js';
import type { DueDomain } from '../store/domains.repository.js';
import { CRAWL_PRIORITY, type DomainCrawlPayload } from './domain-crawl.queue.js';

/** Tells workers of domains that are due. The rows must stand in MySQL before. */
export class CrawlQueue {
  constructor(private readonly producer: Pick<QueueProducer<DomainCrawlPayload>, 'add'>) {}

  /**
   * Returns at once, never throws and never waits for Redis: what it does not take the reconciler puts there later.
   * @param overdue nothing was heard of them for too long: what is on the queue and has no place there is put there again
   */
  add(due: readonly DueDomain[], overdue = false): void {
    if (due.length === 0) return;
    this.producer.add(
      due.map(({ domain, first }) => ({
        payload: { domain },
        priority: CRAWL_PRIORITY[first ? 'first' : 'again'],
        hasten: overdue,
      })),
    );
  }
}
