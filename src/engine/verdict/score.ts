import type { Result } from './result.js';
import { BLACKLISTS_COUNTED, SCORE_BANDS, SCORE_WEIGHTS } from './score-weights.js';

/** Facts about a domain; null if unknown. */
export interface ScoredDomain {
  readonly spf: boolean | null;
  readonly dkim: boolean | null;
  readonly dmarc: boolean | null;
  readonly dmarcPolicy: 'none' | 'quarantine' | 'reject' | null;
  readonly mtaSts: boolean | null;
  readonly tlsRpt: boolean | null;
  readonly dane: boolean | null;
  readonly dnssec: 'secure' | 'insecure' | 'bogus' | null;
  readonly caa: boolean | null;
  readonly blacklists: number | null;
}

export interface ScoreSignals {
  readonly result: Result;
  readonly blocked: boolean;
  readonly spamTrap: boolean;
  readonly parked: boolean;
  /** null until the domain is crawled. */
  readonly domain: ScoredDomain | null;
}

/**
 * `score` of a result (decisions 5.6): 0 to 1 with three decimals, null for `unknown`. Pure; an extra good signal never
 * lowers it.
 */
export function score({ result, blocked, spamTrap, parked, domain }: ScoreSignals): number | null {
  const band = SCORE_BANDS[result];
  if (blocked) return 0;
  if (band === null) return null;
  if (spamTrap) return band.min;
  const { good, bad } = shares(parked, domain);
  const raised = band.base + Math.min(1, good) * (band.max - band.base);
  const moved = raised - Math.min(1, bad) * (raised - band.min);
  return Math.round(moved * 1000) / 1000;
}

function shares(parked: boolean, domain: ScoredDomain | null): { good: number; bad: number } {
  let good = 0;
  let bad = parked ? SCORE_WEIGHTS.parked.bad : 0;
  if (domain === null) return { good, bad };
  const count = (weight: { good: number; bad: number }, fact: boolean | null): void => {
    if (fact === true) good += weight.good;
    if (fact === false) bad += weight.bad;
  };
  const { dmarcPolicy, dnssec } = domain;
  count(SCORE_WEIGHTS.spf, domain.spf);
  count(SCORE_WEIGHTS.dmarc, domain.dmarc);
  count(SCORE_WEIGHTS.dmarcPolicy, dmarcPolicy === null ? null : dmarcPolicy !== 'none');
  count(SCORE_WEIGHTS.dkim, domain.dkim);
  count(SCORE_WEIGHTS.mtaSts, domain.mtaSts);
  count(SCORE_WEIGHTS.tlsRpt, domain.tlsRpt);
  count(SCORE_WEIGHTS.dane, domain.dane);
  count(SCORE_WEIGHTS.dnssec, dnssec === 'secure' ? true : dnssec === 'bogus' ? false : null);
  count(SCORE_WEIGHTS.caa, domain.caa);
  bad += SCORE_WEIGHTS.blacklists.bad * Math.min(BLACKLISTS_COUNTED, domain.blacklists ?? 0);
  return { good, bad };
}
