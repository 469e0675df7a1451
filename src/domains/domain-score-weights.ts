/**
 * Version of the formula: weights, limits and how they combine. Stored with each score; increment it with every change
 * that can affect a score.
 */
export const DOMAIN_SCORE_VERSION = 1;

/** Points of each fact; they add up to 100. Unknown facts are left out, and the others scaled up. */
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

/** The share of a fact's points for each value, for facts with more values than yes and no. */
export const DMARC_POLICY_SHARES = { reject: 1, quarantine: 2 / 3, none: 0 } as const;
export const DNSSEC_SHARES = { secure: 1, insecure: 1 / 5, bogus: 0 } as const;

/** Points subtracted per blacklist, and at most in total. */
export const BLACKLIST_PENALTY = 10;
export const BLACKLIST_PENALTY_MAX = 40;

/** Maximum score of a domain that fails DNSSEC validation, and of one that nobody should send to. */
export const BOGUS_CAP = 40;
export const UNWANTED_CAP = 30;
