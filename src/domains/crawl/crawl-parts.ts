import type { DomainFacts } from '../domain-facts.js';

/** The parts of a crawl, and the facts of each. Each part is queried, fails and is retried on its own. */
export const FACTS_OF = {
  mail_hosts: ['mx', 'nullMx', 'mailHosts'],
  name_servers: ['nameServers'],
  addresses: ['addresses'],
  spf: ['spf'],
  dmarc: ['dmarc', 'dmarcPolicy'],
  dkim: ['dkim'],
  mta_sts: ['mtaSts'],
  tls_rpt: ['tlsRpt'],
  bimi: ['bimi'],
  dane: ['dane'],
  dnssec: ['dnssec'],
  caa: ['caa'],
  blacklists: ['blacklists', 'mailHostListed'],
} as const satisfies Record<string, readonly (keyof DomainFacts)[]>;
export type CrawlPart = keyof typeof FACTS_OF;
export const CRAWL_PARTS = Object.keys(FACTS_OF) as readonly CrawlPart[];

export type FactsOf<Part extends CrawlPart> = Pick<DomainFacts, (typeof FACTS_OF)[Part][number]>;

/**
 * How a part ended: `known`: complete, null where there is no fact; `failed`: the domain's servers, or others asked
 * about it, left something open; `unavailable`: our own resolver or network did.
 */
export type PartOutcome = 'known' | 'failed' | 'unavailable';

/** The result of a crawl. */
export interface Crawl {
  /** Facts of every part that is `known` or `failed`; null for those a failed part could not find. */
  readonly found: Partial<DomainFacts>;
  readonly failed: readonly CrawlPart[];
  readonly unavailable: readonly CrawlPart[];
}
