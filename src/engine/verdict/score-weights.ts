import type { Result } from './result.js';

/** A band of scores: `base` for an unknown domain; known facts move the score towards an end. */
export interface ScoreBand {
  readonly min: number;
  readonly base: number;
  readonly max: number;
}

/** Bands never overlap (decisions 5.6). null: no score. */
export const SCORE_BANDS: Record<Result, ScoreBand | null> = {
  valid: { min: 0.7, base: 0.95, max: 1 },
  role: { min: 0.57, base: 0.6, max: 0.66 },
  catch_all: { min: 0.4, base: 0.5, max: 0.56 },
  disposable: { min: 0.05, base: 0.1, max: 0.15 },
  invalid: { min: 0, base: 0, max: 0 },
  unknown: null,
};

/**
 * How far each fact moves a score: `good` is a share of the way from base to max, `bad` from base to min. Null facts
 * move nothing. The good shares add up to 1, so that a perfect domain reaches the top.
 */
export const SCORE_WEIGHTS = {
  spf: { good: 0.15, bad: 0.15 },
  dmarc: { good: 0.15, bad: 0.15 },
  /** Good: quarantine or reject. Bad: none. */
  dmarcPolicy: { good: 0.15, bad: 0.05 },
  /** `false` does not prove a missing key, so it moves nothing. */
  dkim: { good: 0.15, bad: 0 },
  mtaSts: { good: 0.1, bad: 0 },
  tlsRpt: { good: 0.05, bad: 0 },
  dane: { good: 0.1, bad: 0 },
  /** Good: secure. Bad: bogus. Insecure moves nothing. */
  dnssec: { good: 0.1, bad: 0.3 },
  caa: { good: 0.05, bad: 0 },
  /** Bad: per blacklist, up to three. */
  blacklists: { good: 0, bad: 0.15 },
  parked: { good: 0, bad: 0.5 },
} as const;

/** Further blacklists do not move the score. */
export const BLACKLISTS_COUNTED = 3;
