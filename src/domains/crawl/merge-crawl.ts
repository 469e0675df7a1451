import { nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import { FACTS_OF, type Crawl, type CrawlPart } from './crawl-parts.js';

/** What stands of a domain after a crawl. */
export interface Merged {
  /** null: nothing was found out, for our own resolver did not answer, and nothing was known before. */
  readonly facts: DomainFacts | null;
  /** To be tried again. */
  readonly open: readonly CrawlPart[];
}

/**
 * Puts a crawl over what was known. A part that failed leaves its facts null (decisions 8.4), whatever was known before; one
 * that failed for a reason of our own says nothing about the domain, so that what was known stays.
 */
export function mergeCrawl(domain: string, before: DomainFacts | null, { found, failed, unavailable }: Crawl): Merged {
  const open = [...failed, ...unavailable];
  if (before === null && Object.keys(found).length === 0) return { facts: null, open };
  return { facts: { ...(before ?? nothingKnownOf(domain)), ...found }, open };
}

/** Parts by name, as they are stored; what this release does not know is passed over. */
export function readParts(text: string): readonly CrawlPart[] {
  const names = new Set(text.split(','));
  return (Object.keys(FACTS_OF) as CrawlPart[]).filter((part) => names.has(part));
}
