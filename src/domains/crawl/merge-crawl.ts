import { nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import { CRAWL_PARTS, type Crawl, type CrawlPart } from './crawl-parts.js';

/** The stored state of a domain after a crawl. */
export interface Merged {
  /** null: nothing is known, before or now, because our own resolver did not answer. */
  readonly facts: DomainFacts | null;
  /** Parts to retry. */
  readonly open: readonly CrawlPart[];
}

/**
 * Merges a crawl into the known facts. A failed part sets its facts to null (decisions 8.4), even if they were known
 * before; a part that failed on our side says nothing about the domain, so its known facts stay.
 */
export function mergeCrawl(domain: string, before: DomainFacts | null, { found, failed, unavailable }: Crawl): Merged {
  const open = [...failed, ...unavailable];
  if (before === null && Object.keys(found).length === 0) return { facts: null, open };
  return { facts: { ...(before ?? nothingKnownOf(domain)), ...found }, open };
}

/** Parses stored part names; skips those that this release does not know. */
export function readParts(text: string): readonly CrawlPart[] {
  const names = new Set(text.split(','));
  return CRAWL_PARTS.filter((part) => names.has(part));
}
