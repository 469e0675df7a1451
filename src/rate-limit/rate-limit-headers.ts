import type { TokenDecision } from './token-bucket.js';

const POLICY = '"default"';
const WINDOW_SECONDS = 60;

/**
 * What a caller is told of its limit: the three headers of the contract, and the pair of the IETF's draft
 * (draft-ietf-httpapi-ratelimit-headers-11). There `t` says for how long no more than `r` can be had, and `Retry-After`
 * must not end sooner (section 6): so it is the time to the next token, not to a full bucket.
 */
export function rateLimitHeaders({ limit, remaining, resetAt, nextTokenInSeconds }: TokenDecision): [string, string][] {
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(resetAt)],
    ['RateLimit-Policy', `${POLICY};q=${limit};w=${WINDOW_SECONDS}`],
    ['RateLimit', `${POLICY};r=${remaining};t=${nextTokenInSeconds}`],
  ];
}
