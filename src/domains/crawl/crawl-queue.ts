import type { QueueProducer } from '../../platform/queues/queue-producer.js';
import type { DueDomain } from '../store/domains.repository.js';
import { CRAWL_PRIORITY, type DomainCrawlPayload } from './domain-crawl.queue.js';

/** Tells workers of domains that are due. The rows must stand in MySQL before. */
export class CrawlQueue {
  constructor(private readonly producer: Pick<QueueProducer<DomainCrawlPayload>, 'add'>) {}

  /** Returns at once, never throws and never waits for Redis: what it does not take the reconciler puts there later. */
  add(due: readonly DueDomain[]): void {
    if (due.length === 0) return;
    this.producer.add(
      due.map(({ domain, first }) => ({ payload: { domain }, priority: CRAWL_PRIORITY[first ? 'first' : 'again'] })),
    );
  }
}
