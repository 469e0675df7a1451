import type { ScoredDomain } from './verdict/score.js';

/** What a crawl found out about a domain, as far as results use it. */
export interface CrawledDomain {
  readonly facts: ScoredDomain;
  /** True for a freemail provider; null if the domain could not be classified. */
  readonly freemail: boolean | null;
  /** null if the crawl could not tell. */
  readonly parked: boolean | null;
  /** True for a parked domain with its mail host on a DNS blacklist: `reputation_heuristic` of decisions 5.3. */
  readonly suspectedTrap: boolean;
}

/** What is known of a domain besides the lists. The caller of the engine stores it. */
export interface DomainKnowledge {
  /** True for a known catch-all: row 8 of decisions 5.1. */
  readonly catchAll: boolean;
  /** null or left out: not crawled, or not looked up. It shapes results and never saves or causes a probe. */
  readonly crawled?: CrawledDomain | null;
}

export const NOTHING_KNOWN = { catchAll: false, crawled: null } as const satisfies DomainKnowledge;
