/**
 * Version of the formula: weights, limits and how they are put together. It is stored beside each score, and goes up with
 * every change that could give a domain another score.
 */
export const DOMAIN_SCORE_VERSION = 1;

/** Points of each fact; they add up to 100. A fact that is not known leaves, and the others count for the whole. */
export const DOMAIN_SCORE_WEIGHTS = {
  mx: 20,
  spf: 12,
  dmarc: 10,
  dmarcPolicy: 13,
  dkim: 10,
  dnssec: 10,
  mtaSts: 8,
  dane: 7,
  blacklists: 5,
  tlsRpt: 3,
  caa: 2,
} as const;

/** What part of a fact's points its values give, where they are more than yes and no. */
export const DMARC_POLICY_SHARES = { reject: 1, quarantine: 2 / 3, none: 0 } as const;
export const DNSSEC_SHARES = { secure: 1, insecure: 1 / 5, bogus: 0 } as const;

/** Points taken off for each blacklist, and for all together at most. */
export const BLACKLIST_PENALTY = 10;
export const BLACKLIST_PENALTY_MAX = 40;

/** The highest score of a domain whose answers fail DNSSEC validation, and of one that nobody should send to. */
export const BOGUS_CAP = 40;
export const UNWANTED_CAP = 30;
