import {
  BLACKLIST_PENALTY,
  BLACKLIST_PENALTY_MAX,
  BOGUS_CAP,
  DMARC_POLICY_SHARES,
  DNSSEC_SHARES,
  DOMAIN_SCORE_VERSION,
  DOMAIN_SCORE_WEIGHTS,
  UNWANTED_CAP,
} from '../../../src/domains/domain-score-weights.js';
import { REASON_MEANINGS, REASON_RESULTS } from '../../../src/engine/verdict/reason-meanings.js';
import { REASONS, RESULTS } from '../../../src/engine/verdict/result.js';
import { BLACKLISTS_COUNTED, SCORE_BANDS, SCORE_WEIGHTS } from '../../../src/engine/verdict/score-weights.js';
import { code, markdownTable } from './markdown.js';

/** By result, in the order of the contract. */
export function reasons(): string {
  const rows = RESULTS.flatMap((result) => REASONS.filter((reason) => REASON_RESULTS[reason] === result));
  return markdownTable(
    ['`reason`', '`result`', 'meaning'],
    [
      ...rows.map((reason) => [code(reason), REASON_RESULTS[reason], REASON_MEANINGS[reason]]),
      ['null', 'unknown', 'quick mode, or a guard past its quota: not probed'],
    ],
  );
}

export function scoreBands(): string {
  const rows = Object.entries(SCORE_BANDS).map(([result, band]) =>
    band === null ? [result, '-', '-', '-'] : [result, band.min, band.base, band.max],
  );
  return markdownTable(['result', 'lowest', 'base', 'highest'], rows);
}

const WEIGHT_REMARKS: Readonly<Record<keyof typeof SCORE_WEIGHTS, string>> = {
  spf: '',
  dmarc: '',
  dmarcPolicy: 'good: quarantine or reject; bad: none',
  dkim: 'a missing key proves nothing',
  mtaSts: '',
  tlsRpt: '',
  dane: '',
  dnssec: 'good: secure; bad: bogus; insecure moves nothing',
  caa: '',
  blacklists: `bad: each, up to ${BLACKLISTS_COUNTED}`,
  parked: '',
};

export function scoreWeights(): string {
  const rows = Object.entries(SCORE_WEIGHTS).map(([fact, { good, bad }]) => [
    fact,
    good,
    bad,
    WEIGHT_REMARKS[fact as keyof typeof SCORE_WEIGHTS],
  ]);
  return markdownTable(['fact', 'good', 'bad', ''], rows);
}

export function domainScoreVersion(): string {
  return `Formula version: ${DOMAIN_SCORE_VERSION}.`;
}

const shares = (parts: Readonly<Record<string, number>>): string =>
  Object.entries(parts)
    .map(([value, share]) => `${value}: ${share === 1 ? 'all' : share === 0 ? '0' : fraction(share)}`)
    .join('; ');

/** 2/3 of 0.666… */
function fraction(share: number): string {
  const below = [2, 3, 4, 5, 10].find((one) => Math.abs(share * one - Math.round(share * one)) < 1e-9);
  return below === undefined ? String(share) : `${Math.round(share * below)}/${below}`;
}

const POINT_REMARKS: Readonly<Record<keyof typeof DOMAIN_SCORE_WEIGHTS, string>> = {
  mx: 'a mail host with a public address',
  spf: 'exactly one SPF record, without an error',
  dmarc: 'a DMARC record applies to the domain',
  dmarcPolicy: `${shares(DMARC_POLICY_SHARES)}; no DMARC record: 0`,
  dkim: 'a key at one of the usual selectors; none found counts as not known, because it proves nothing',
  dnssec: shares(DNSSEC_SHARES),
  mtaSts: 'a record and a valid policy',
  dane: 'usable TLSA records of every mail host of the best preference',
  blacklists: 'on no DNS blacklist',
  tlsRpt: 'a record',
  caa: 'certificate authorities are restricted',
};

export function domainScorePoints(): string {
  const rows = Object.entries(DOMAIN_SCORE_WEIGHTS).map(([fact, points]) => [
    fact,
    points,
    POINT_REMARKS[fact as keyof typeof DOMAIN_SCORE_WEIGHTS],
  ]);
  return markdownTable(['fact', 'points', ''], rows);
}

export function domainScoreLimits(): string {
  return markdownTable(
    ['limit', 'value', ''],
    [
      ['blacklist', -BLACKLIST_PENALTY, 'for each DNS blacklist'],
      ['blacklists', -BLACKLIST_PENALTY_MAX, 'for all of them, at most'],
      ['bogus', BOGUS_CAP, 'highest score of a domain whose DNSSEC signatures do not hold'],
      ['unwanted', UNWANTED_CAP, 'highest score of a disposable or parked domain'],
      ['blocked', 0, 'a domain on the blocklist, whatever else is known'],
    ],
  );
}
