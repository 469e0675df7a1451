/** The state of a key's limit, as in the `X-RateLimit-*` headers (decisions 3.2). */
export interface RateLimitStatus {
  /** Requests per minute of the plan, and size of the bucket. */
  readonly limit: number;
  /** Whole tokens left after this request. */
  readonly remaining: number;
  /** Unix second at which the bucket is full again. */
  readonly resetAt: number;
}

declare module '../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by `RateLimitGuard` on every request that got a token, and on no other. */
    rateLimit?: RateLimitStatus;
  }
}
