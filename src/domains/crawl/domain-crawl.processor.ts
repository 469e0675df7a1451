import { QueueConsumer, type QueueConsumerOptions } from '../../platform/queues/queue-consumer.js';
import { DOMAIN_CRAWL_QUEUE, type DomainCrawlPayload } from './domain-crawl.queue.js';
import type { DomainCrawlService } from './domain-crawl.service.js';

/** Serves the queue of crawls. */
export class DomainCrawlProcessor extends QueueConsumer<DomainCrawlPayload> {
  constructor(
    crawls: Pick<DomainCrawlService, 'run'>,
    options: Omit<QueueConsumerOptions<DomainCrawlPayload>, 'queue' | 'handle'>,
  ) {
    super({ ...options, queue: DOMAIN_CRAWL_QUEUE, handle: ({ domain }, stop) => crawls.run(domain, stop) });
  }
}
