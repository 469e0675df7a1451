import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import { ExpiringMap } from '../../platform/caching/expiring-map.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { Buckets } from '../../rate-limit/buckets.js';
import { refusalInOutage } from '../../rate-limit/long-outage.js';
import { noteDecision } from '../../rate-limit/rate-limit-status.js';
import { consoleCallerOf } from '../session/console-caller.js';
import { AccountKeyRepository } from './account-key.repository.js';

const MAX_KNOWN = 10_000;
/** An account's hidden key never changes; forgetting it bounds the memory. */
const KNOWN_MS = 3_600_000;

/** Makes calls from the console calls of the account's hidden key: price, ledger, rate and plan are those of any key. */
@Injectable()
export class AccountKeys {
  private readonly known = new ExpiringMap<string>(MAX_KNOWN);

  constructor(
    private readonly keys: AccountKeyRepository,
    private readonly buckets: Buckets,
    private readonly config: AppConfig,
  ) {}

  /**
   * Sets the caller of a metered request and takes one token of the key.
   * @throws AppError `forbidden` for a suspended account, `rate_limit_exceeded`, `service_unavailable` in a long outage of
   *   Redis
   */
  async charge(request: FastifyRequest): Promise<void> {
    const { account, plan } = consoleCallerOf(request);
    if (account.isSuspended) throw new AppError('forbidden', 'The account is suspended.');
    const keyId = await this.keyOf(account.id);
    const decision = await this.buckets.take('key', keyId, plan.requestsPerMinute);
    const refusal = refusalInOutage(this.buckets, this.config.rateLimit.failOpenMs);
    if (refusal !== null) throw refusal;
    noteDecision(request, decision);
    if (!decision.allowed) {
      throw new AppError(
        'rate_limit_exceeded',
        'The account has made too many requests; wait as long as Retry-After says.',
        {
          retryAfterSeconds: decision.nextTokenInSeconds,
        },
      );
    }
    request.context.caller = { accountId: account.id, keyId, mode: 'live', plan } satisfies Caller;
  }

  private async keyOf(accountId: string): Promise<string> {
    const now = performance.now();
    const known = this.known.get(accountId, now);
    if (known !== undefined) return known;
    const id = await this.keys.idOf(accountId);
    if (id === null) throw noSuch('account');
    this.known.set(accountId, id, now + KNOWN_MS);
    return id;
  }
}
