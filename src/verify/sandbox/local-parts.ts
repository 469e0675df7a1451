/** Local parts of sandbox addresses that stand for no result (decisions 5.7). */
export const SANDBOX_LOCAL_PARTS = {
  /** The call is refused as one over its rate limit is. */
  rateLimited: 'ratelimit',
  /** The address could not be completed. */
  failing: 'servererror',
  /** A job with one of them takes a while; elsewhere they are like any other. */
  takingTime: ['async', 'slowjob'],
} as const;
