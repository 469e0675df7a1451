import type { ScoredDomain } from '../engine/verdict/score.js';

/**
 * What a crawl found out about a domain: plain data, without any list's or table's opinion, so that it can be stored and
 * judged anew. null is not known: not asked, or the look-up failed. Names are lowercase A-labels without a trailing dot.
 *
 * What `ScoredDomain` holds is what the score of a result looks at as well.
 */
export interface DomainFacts extends ScoredDomain {
  readonly domain: string;
  /** A mail host with a public address exists (decisions 5.5). */
  readonly mx: boolean | null;
  /** The domain says that it takes no mail (RFC 7505). */
  readonly nullMx: boolean | null;
  readonly bimi: boolean | null;
  /** An address of a mail host stands on a DNS blacklist; `blacklists` counts those that list the domain's name too. */
  readonly mailHostListed: boolean | null;
  /** Targets of the NS records. A name below a zone's top has none of its own. */
  readonly nameServers: readonly string[] | null;
  /** IP addresses of the domain itself and of `www.` below it, where its web site would be. */
  readonly addresses: readonly string[] | null;
  /** Mail hosts by name, best first; the domain itself where it has no MX records but addresses; empty without any. */
  readonly mailHosts: readonly string[] | null;
}

/** The facts of a domain that nobody has looked at. */
export function nothingKnownOf(domain: string): DomainFacts {
  return {
    domain,
    mx: null,
    nullMx: null,
    spf: null,
    dkim: null,
    dmarc: null,
    dmarcPolicy: null,
    mtaSts: null,
    tlsRpt: null,
    bimi: null,
    mailHostListed: null,
    dane: null,
    blacklists: null,
    dnssec: null,
    caa: null,
    nameServers: null,
    addresses: null,
    mailHosts: null,
  };
}
