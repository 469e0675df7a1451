import type { FastifyRequest } from 'fastify';
import type { ApiKeyGate } from '../auth/api-key.gate.js';
import { MalformedKeyError, UnknownKeyError } from '../auth/auth.errors.js';
import { callerOf } from '../auth/caller.js';
import { AppError } from '../platform/errors/app-error.js';
import { RequestGate } from '../platform/http/request-gate.js';
import type { Buckets } from './buckets.js';
import { clientNetwork } from './client-network.js';
import { rateLimitHeaders } from './rate-limit-headers.js';
import './rate-limit-status.js';
import type { TokenDecision } from './token-bucket.js';

export interface RateLimitGateParts {
  readonly keys: Pick<ApiKeyGate, 'admit' | 'recognise'>;
  readonly buckets: Pick<Buckets, 'take' | 'awayMs'>;
  /** `AUTH_FAILURES_PER_MINUTE`. */
  readonly authFailuresPerMinute: number;
  /** `RATE_LIMIT_FAIL_OPEN_MS`. */
  readonly failOpenMs: number;
  readonly onRefusal?: (why: Refusal) => void;
}

/** Why a request was not let in, for metrics. `limit` is the key's, `address` that of unknown keys. */
export type Refusal = 'malformed_key' | 'unknown_key' | 'limit' | 'address' | 'outage';

const RETRY_AFTER_OUTAGE_SECONDS = 5;

/**
 * Admits requests whose key is in force and has a token left (decisions 3). What the key may still ask for goes into the
 * headers of the answer, whatever the answer will be.
 */
export class RateLimitGate extends RequestGate {
  constructor(private readonly parts: RateLimitGateParts) {
    super();
  }

  // Steps, not asynchronous functions: they are on the way of every request.
  override admit(request: FastifyRequest): Promise<void> {
    if (this.parts.keys.recognise(request)) return this.takeToken(request);
    return this.authenticate(request).then(() => this.takeToken(request));
  }

  private takeToken(request: FastifyRequest): Promise<void> {
    const { keyId, plan } = callerOf(request)!;
    return this.parts.buckets
      .take('key', keyId, plan.requestsPerMinute)
      .then((decision) => this.hold(request, decision));
  }

  /** @throws AppError when the request goes no further */
  private hold(request: FastifyRequest, decision: TokenDecision): void {
    this.refuseInLongOutage();
    for (const [name, value] of rateLimitHeaders(decision)) request.context.responseHeaders.set(name, value);
    if (!decision.allowed) {
      this.parts.onRefusal?.('limit');
      throw tooMany(
        'This key has made too many requests; wait as long as Retry-After says.',
        decision.nextTokenInSeconds,
      );
    }
    const { limit, remaining, resetAt } = decision;
    request.context.rateLimit = { limit, remaining, resetAt };
  }

  private async authenticate(request: FastifyRequest): Promise<void> {
    try {
      await this.parts.keys.admit(request);
    } catch (error) {
      if (error instanceof UnknownKeyError) await this.countFailure(request.ip);
      else if (error instanceof MalformedKeyError) this.parts.onRefusal?.('malformed_key');
      throw error;
    }
  }

  /**
   * Counts a key that might have been one (decisions 3.5). Only after the look-up, so that a key in force is never refused
   * for its address, and without an end in an outage: it is a 401 either way.
   */
  private async countFailure(address: string | undefined): Promise<void> {
    const { authFailuresPerMinute, buckets } = this.parts;
    const { allowed, nextTokenInSeconds } = await buckets.take(
      'address',
      clientNetwork(address),
      authFailuresPerMinute,
    );
    this.parts.onRefusal?.(allowed ? 'unknown_key' : 'address');
    if (!allowed) throw tooMany('Too many unknown keys have come from this address.', nextTokenInSeconds);
  }

  /**
   * By itself a process counts only what comes to it. That is good for a while when Redis does not answer, and for as long as it
   * lasts when Redis answers that it is full or may only be read (decisions 3.4).
   */
  private refuseInLongOutage(): void {
    const { awayMs } = this.parts.buckets;
    if (awayMs === null || awayMs < this.parts.failOpenMs) return;
    this.parts.onRefusal?.('outage');
    throw new AppError('service_unavailable', 'A part of the service is down; retry.', {
      retryAfterSeconds: RETRY_AFTER_OUTAGE_SECONDS,
      cause: new Error('Redis does not answer: rate limits cannot be kept'),
    });
  }
}

function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError('rate_limit_exceeded', message, { retryAfterSeconds });
}
