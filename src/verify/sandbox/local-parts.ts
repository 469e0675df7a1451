/** Sandbox local parts that stand for no result (decisions 5.7). */
export const SANDBOX_LOCAL_PARTS = {
  /** The call fails as if over its rate limit. */
  rateLimited: 'ratelimit',
  /** The check of the address fails. */
  failing: 'servererror',
  /** A job with one of these takes a while; elsewhere they are ordinary. */
  takingTime: ['async', 'slowjob'],
} as const;
