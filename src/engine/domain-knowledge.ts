import type { ScoredDomain } from './verdict/score.js';

/** What a crawl found out about a domain, as far as results are judged by it. */
export interface CrawledDomain {
  readonly facts: ScoredDomain;
  /** A freemail provider's; null: the domain could not be classified. */
  readonly freemail: boolean | null;
  /** null: could not be told. */
  readonly parked: boolean | null;
  /** Parked, and its mail host on a DNS blacklist: `reputation_heuristic` of decisions 5.3. */
  readonly suspectedTrap: boolean;
}

/** What was found out about a domain before, beside the lists. It is kept by whoever runs the engine. */
export interface DomainKnowledge {
  /** Known as a catch-all: row 8 of decisions 5.1. */
  readonly catchAll: boolean;
  /** null, or left out: not crawled yet, or nobody looked. It shapes results and never spares or costs a probe. */
  readonly crawled?: CrawledDomain | null;
}

export const NOTHING_KNOWN = { catchAll: false, crawled: null } as const satisfies DomainKnowledge;
