import type { EntityManager } from 'typeorm';
import type { FailedWork } from '../../platform/queues/failed-work.repository.js';
import { DOMAIN_CRAWL_QUEUE, isDomain } from './domain-crawl.queue.js';

/** Crawls postponed domains now. */
export const failedCrawls: FailedWork = {
  queue: DOMAIN_CRAWL_QUEUE.name,

  async makeDueWithin(transaction: EntityManager, jobId: string): Promise<string | null> {
    const domain = jobId.replace(/^crawl-/, '');
    if (!isDomain(domain)) return 'its id names no domain';
    const [row] = await transaction.sql<unknown[]>`SELECT domain FROM domains WHERE domain = ${domain} FOR UPDATE`;
    if (row === undefined) return 'nobody has asked for the domain for long: it is crawled when somebody does';
    await transaction.sql`
      UPDATE domains SET begun = 0, due_at = UTC_TIMESTAMP(3), queue_at = UTC_TIMESTAMP(3) WHERE domain = ${domain}`;
    return null;
  },
};
