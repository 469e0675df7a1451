import type { DomainFacts } from './domain-facts.js';
import {
  BLACKLIST_PENALTY,
  BLACKLIST_PENALTY_MAX,
  BOGUS_CAP,
  DMARC_POLICY_SHARES,
  DNSSEC_SHARES,
  DOMAIN_SCORE_WEIGHTS,
  UNWANTED_CAP,
} from './domain-score-weights.js';

/** The facts that the score uses. */
export type ScoredFacts = Pick<DomainFacts, keyof typeof DOMAIN_SCORE_WEIGHTS>;

/** Results of lists and classification that the score uses. */
export interface DomainCatchAll {
  readonly disposable: boolean;
  /** null, unknown, subtracts nothing. */
  readonly parked: boolean | null;
  readonly blocked: boolean;
}

/**
 * `score` of the domain object (decisions 8.3): an integer from 0 to 100, null until MX, SPF and DMARC are known;
 * always 0 for a blocked domain. A pure function; `DOMAIN_SCORE_VERSION` is the formula's version.
 */
export function domainScore(facts: ScoredFacts, { disposable, parked, blocked }: DomainCatchAll): number | null {
  if (blocked) return 0;
  if (facts.mx === null || facts.spf === null || facts.dmarc === null) return null;
  const penalty = Math.min(BLACKLIST_PENALTY_MAX, BLACKLIST_PENALTY * (facts.blacklists ?? 0));
  const cap = Math.min(facts.dnssec === 'bogus' ? BOGUS_CAP : 100, disposable || parked === true ? UNWANTED_CAP : 100);
  return Math.round(Math.max(0, Math.min(cap, 100 * shareReached(facts) - penalty)));
}

/** A fact's part in the score. */
export interface ScorePart {
  readonly fact: keyof ScoredFacts;
  /** Points that it gives at most, of 100. */
  readonly max: number;
  /** Share of them that is reached, 0 to 1; null: unknown, and counts on neither side. */
  readonly share: number | null;
}

/** The parts that the score is made of, largest first. */
export function scoreParts(facts: ScoredFacts): ScorePart[] {
  const shares = sharesOf(facts);
  return Object.entries(DOMAIN_SCORE_WEIGHTS)
    .map(([fact, max]) => ({ fact: fact as keyof ScoredFacts, max, share: shares[fact as keyof ScoredFacts] }))
    .toSorted((a, b) => b.max - a.max);
}

/** The points reached as a share of the possible ones; unknown facts count on neither side. */
function shareReached(facts: ScoredFacts): number {
  let reached = 0;
  let possible = 0;
  for (const [fact, share] of Object.entries(sharesOf(facts))) {
    if (share === null) continue;
    const weight = DOMAIN_SCORE_WEIGHTS[fact as keyof ScoredFacts];
    reached += weight * share;
    possible += weight;
  }
  return reached / possible;
}

/** The share of its points that each fact reaches, 0 to 1; null if unknown. */
function sharesOf(facts: ScoredFacts): Record<keyof ScoredFacts, number | null> {
  const { dmarc, dmarcPolicy, dkim, dnssec, blacklists } = facts;
  return {
    mx: yesNo(facts.mx),
    spf: yesNo(facts.spf),
    dmarc: yesNo(dmarc),
    // Without a record there is certainly no policy, so this counts.
    dmarcPolicy: dmarc === null ? null : dmarcPolicy === null ? 0 : DMARC_POLICY_SHARES[dmarcPolicy],
    // No key at the usual names does not prove that there is none.
    dkim: dkim === true ? 1 : null,
    dnssec: dnssec === null ? null : DNSSEC_SHARES[dnssec],
    mtaSts: yesNo(facts.mtaSts),
    dane: yesNo(facts.dane),
    blacklists: blacklists === null ? null : blacklists === 0 ? 1 : 0,
    tlsRpt: yesNo(facts.tlsRpt),
    caa: yesNo(facts.caa),
  };
}

function yesNo(fact: boolean | null): number | null {
  return fact === null ? null : Number(fact);
}
