import type { TokenDecision } from './token-bucket.js';

const POLICY = '"default"';
const WINDOW_SECONDS = 60;

/**
 * The headers that describe the limit: three of the contract, and two of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers-11). The draft's `t` is the time in which no more than `r` requests are
 * possible, and `Retry-After` must not end sooner (section 6): so it is the time to the next token, not to a full
 * bucket.
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
