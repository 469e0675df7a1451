import type { FastifyRequest } from 'fastify';
import { rateLimitHeaders } from './rate-limit-headers.js';
import type { TokenDecision } from './token-bucket.js';

/** The state of a key's limit, as in the `X-RateLimit-*` headers (decisions 3.2). */
export type RateLimitStatus = Pick<TokenDecision, 'limit' | 'remaining' | 'resetAt'>;

declare module '../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by `RateLimitGuard` on every request that got a token, and on no other. */
    rateLimit?: RateLimitStatus;
  }
}

/** Sets the headers of a decision, and the request's status if it got its token. */
export function noteDecision({ context }: Pick<FastifyRequest, 'context'>, decision: TokenDecision): void {
  for (const [name, value] of rateLimitHeaders(decision)) context.responseHeaders.set(name, value);
  if (!decision.allowed) return;
  const { limit, remaining, resetAt } = decision;
  context.rateLimit = { limit, remaining, resetAt };
}
