import { z } from 'zod';
import { normalizeName } from '../../engine/dns/domain-name.js';
import type { WorkQueue } from '../../platform/queues/work-queue.js';

export const domainCrawlPayload = z.object({
  domain: z.string().refine((text) => text.includes('.') && normalizeName(text) === text, 'it is no domain'),
});
export type DomainCrawlPayload = z.output<typeof domainCrawlPayload>;

/** Crawls: one job per domain, however often it is asked for. The row in `domains` is the truth. */
export const DOMAIN_CRAWL_QUEUE: WorkQueue<DomainCrawlPayload> = {
  name: 'domain-crawl',
  payload: domainCrawlPayload,
  // A domain holds neither a colon nor is it an integer.
  jobId: ({ domain }) => `crawl-${domain}`,
};

/** Somebody waits to see a domain for the first time; what is known already can wait. */
export const CRAWL_PRIORITY = { first: 1, again: 2 } as const;
