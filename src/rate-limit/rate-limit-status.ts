/** What the key of a request may still ask for, as the `X-RateLimit-*` headers say it (decisions 3.2). */
export interface RateLimitStatus {
  /** Requests a minute, of the plan: the size of the bucket. */
  readonly limit: number;
  /** Whole tokens left after this request. */
  readonly remaining: number;
  /** Unix second at which the bucket is full again. */
  readonly resetAt: number;
}

declare module '../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by the gate on every request that was given a token, and on no other. */
    rateLimit?: RateLimitStatus;
  }
}
