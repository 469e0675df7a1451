import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGate } from '../auth/api-key.gate.js';
import { MalformedKeyError, UnknownKeyError } from '../auth/auth.errors.js';
import { callerOf } from '../auth/caller.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AppError } from '../platform/errors/app-error.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { Buckets } from './buckets.js';
import { clientNetwork } from './client-network.js';
import { refusalInOutage } from './long-outage.js';
import { RateLimitMetrics } from './rate-limit-metrics.js';
import { noteDecision } from './rate-limit-status.js';
import type { TokenDecision } from './token-bucket.js';

/**
 * Admits requests whose key is in force and has a token left (decisions 3). Sets the rate limit headers of the response,
 * whatever the response is: hence it is the process's gate too, since Nest asks guards only after the body was parsed, and not at
 * all for a 404 or 405.
 */
@Injectable()
export class RateLimitGuard extends RequestGate implements CanActivate {
  constructor(
    private readonly keys: ApiKeyGate,
    private readonly buckets: Buckets,
    private readonly config: AppConfig,
    private readonly metrics: RateLimitMetrics,
  ) {
    super();
  }

  // Promise callbacks rather than async functions: every request comes here.
  override admit(request: FastifyRequest): Promise<void> {
    if (this.keys.recognise(request)) return this.takeToken(request);
    return this.authenticate(request).then(() => this.takeToken(request));
  }

  /**
   * Lets nothing pass, beside what is public, that has not got a token. A request gets here without one only when the gate was
   * left out: a fault of ours, and so no 429.
   */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.context.rateLimit !== undefined || request.routeOptions.config.publicRoute === true) return true;
    throw new AppError('internal_error', 'The request could not be served.', {
      cause: new Error('RateLimitGuard has not admitted this request'),
    });
  }

  private takeToken(request: FastifyRequest): Promise<void> {
    const { keyId, plan } = callerOf(request)!;
    return this.buckets.take('key', keyId, plan.requestsPerMinute).then((decision) => this.hold(request, decision));
  }

  /** @throws AppError if the request goes no further */
  private hold(request: FastifyRequest, decision: TokenDecision): void {
    this.refuseInLongOutage();
    noteDecision(request, decision);
    if (!decision.allowed) {
      this.metrics.countRefusal('limit');
      throw tooMany(
        'This key has made too many requests; wait as long as Retry-After says.',
        decision.nextTokenInSeconds,
      );
    }
  }

  private async authenticate(request: FastifyRequest): Promise<void> {
    try {
      await this.keys.admit(request);
    } catch (error) {
      if (error instanceof UnknownKeyError) await this.countFailure(request.ip);
      else if (error instanceof MalformedKeyError) this.metrics.countRefusal('malformed_key');
      throw error;
    }
  }

  /**
   * Counts an unknown key of the right form against its address (decisions 3.5). It counts after the look-up, so that a key in
   * force is never refused for its address. An outage of Redis does not matter here: the answer is a 401 either way.
   */
  private async countFailure(address: string | undefined): Promise<void> {
    const { authFailuresPerMinute } = this.config.rateLimit;
    const network = clientNetwork(address);
    const { allowed, nextTokenInSeconds } = await this.buckets.take('address', network, authFailuresPerMinute);
    this.metrics.countRefusal(allowed ? 'unknown_key' : 'address');
    if (!allowed) throw tooMany('Too many unknown keys have come from this address.', nextTokenInSeconds);
  }

  private refuseInLongOutage(): void {
    const refusal = refusalInOutage(this.buckets, this.config.rateLimit.failOpenMs);
    if (refusal === null) return;
    this.metrics.countRefusal('outage');
    throw refusal;
  }
}

function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError('rate_limit_exceeded', message, { retryAfterSeconds });
}
