import type { DomainFacts } from '../domain-facts.js';

/** What a crawl is made of. Each part is asked for by itself, fails by itself, and is tried again by itself. */
export const CRAWL_PARTS = [
  'mail_hosts',
  'name_servers',
  'addresses',
  'spf',
  'dmarc',
  'dkim',
  'mta_sts',
  'tls_rpt',
  'bimi',
  'dane',
  'dnssec',
  'caa',
  'blacklists',
] as const;
export type CrawlPart = (typeof CRAWL_PARTS)[number];

/** The facts that each part finds out. */
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
} as const satisfies Record<CrawlPart, readonly (keyof DomainFacts)[]>;

export type FactsOf<Part extends CrawlPart> = Pick<DomainFacts, (typeof FACTS_OF)[Part][number]>;

/**
 * How a part ended: `known`: all that can be said is said, null where there is nothing to say; `failed`: the domain's servers,
 * or those that were asked about it, left something open; `unavailable`: our own resolver or network did.
 */
export type PartOutcome = 'known' | 'failed' | 'unavailable';

/** What a crawl came to. */
export interface Crawl {
  /** Facts of every part that is `known` or `failed`; what a failed one could not find out is null. */
  readonly found: Partial<DomainFacts>;
  readonly failed: readonly CrawlPart[];
  readonly unavailable: readonly CrawlPart[];
}
