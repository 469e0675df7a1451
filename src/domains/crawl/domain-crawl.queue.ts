import { normalizeName } from '../../engine/dns/domain-name.js';
import { TextRule } from '../../platform/queues/text-rule.js';
import type { WorkQueue } from '../../platform/queues/work-queue.js';

export class DomainCrawlPayload {
  @TextRule('a domain', isDomain)
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
export const CRAWL_PRIORITY = { first: 1, again: 2 } as const;
