import type { ScoredDomain } from '../engine/verdict/score.js';
import { DMARC_POLICIES } from './records/dmarc-record.js';
import { DNSSEC_STATUSES } from './records/dnssec.js';

/**
 * Facts that a crawl found out about a domain: plain data, independent of lists and tables, so that it can be stored
 * and judged again. null means unknown: not asked, or the look-up failed. Names are lowercase A-labels without a
 * trailing dot.
 *
 * The score of a result also uses the fields of `ScoredDomain`.
 */
export interface DomainFacts extends ScoredDomain {
  readonly domain: string;
  /** A mail host with a public address exists (decisions 5.5). */
  readonly mx: boolean | null;
  /** The domain accepts no mail (null MX, RFC 7505). */
  readonly nullMx: boolean | null;
  readonly bimi: boolean | null;
  /** A mail host's address is on a DNS blacklist; `blacklists` also counts lists with the domain's name. */
  readonly mailHostListed: boolean | null;
  /** Targets of the NS records. A name below a zone's apex has none of its own. */
  readonly nameServers: readonly string[] | null;
  /** IP addresses of the domain and of `www.` below it, where its web site would be. */
  readonly addresses: readonly string[] | null;
  /**
   * Mail hosts by name, best first; the domain itself if it has addresses but no MX records; empty if it has neither.
   */
  readonly mailHosts: readonly string[] | null;
}

type Fact = Exclude<keyof DomainFacts, 'domain'>;
type Check = (value: unknown) => boolean;

const isBoolean: Check = (value) => typeof value === 'boolean';
const isNames: Check = (value) => Array.isArray(value) && value.every((name) => typeof name === 'string');
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);

/** Whether a stored value is a known fact. The compiler checks that no fact is missing. */
export const FACT_CHECKS: Readonly<Record<Fact, Check>> = {
  mx: isBoolean,
  nullMx: isBoolean,
  spf: isBoolean,
  dkim: isBoolean,
  dmarc: isBoolean,
  dmarcPolicy: isOneOf(...DMARC_POLICIES),
  mtaSts: isBoolean,
  tlsRpt: isBoolean,
  bimi: isBoolean,
  mailHostListed: isBoolean,
  dane: isBoolean,
  blacklists: Number.isInteger,
  dnssec: isOneOf(...DNSSEC_STATUSES),
  caa: isBoolean,
  nameServers: isNames,
  addresses: isNames,
  mailHosts: isNames,
};
export const FACTS = Object.keys(FACT_CHECKS) as readonly Fact[];
const NOTHING_KNOWN = Object.fromEntries(FACTS.map((fact) => [fact, null])) as Readonly<Record<Fact, null>>;

/** The facts of a domain that was never crawled. */
export function nothingKnownOf(domain: string): DomainFacts {
  return { domain, ...NOTHING_KNOWN };
}
