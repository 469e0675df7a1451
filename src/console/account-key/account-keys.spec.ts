import type { FastifyRequest } from 'fastify';
import { plan } from '../../../test/factories/plan.js';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { Buckets } from '../../rate-limit/buckets.js';
import type { TokenDecision } from '../../rate-limit/token-bucket.js';
import type { AccountKeyRepository } from './account-key.repository.js';
import { AccountKeys } from './account-keys.js';

const GRANTED: TokenDecision = { allowed: true, limit: 60, remaining: 41, resetAt: 1000, nextTokenInSeconds: 1 };

function keysIn(awayMs: number | null, failOpenMs: number): AccountKeys {
  const buckets = { awayMs, take: async () => GRANTED } as unknown as Buckets;
  const config = { rateLimit: { failOpenMs } } as AppConfig;
  return new AccountKeys({ idOf: async () => 'hidden' } as unknown as AccountKeyRepository, buckets, config);
}

function request(): FastifyRequest {
  const account = { id: 'account', name: 'Shop', isSuspended: false };
  return {
    context: { responseHeaders: new Map(), consoleCaller: { account, plan: plan() } },
  } as unknown as FastifyRequest;
}

describe('a check made in the console', () => {
  it.each([
    [null, 0],
    [29_999, 30_000],
  ])('is charged to the hidden key when Redis has been down for %p ms of %i', async (awayMs, failOpenMs) => {
    const asking = request();
    await keysIn(awayMs, failOpenMs).charge(asking);
    expect(asking.context.caller).toMatchObject({ accountId: 'account', keyId: 'hidden', mode: 'live' });
  });

  it.each([
    [30_000, 30_000],
    [0, 0],
  ])('is answered 503 when Redis has been down for %i ms of %i', async (awayMs, failOpenMs) => {
    const refused = request();
    await expect(keysIn(awayMs, failOpenMs).charge(refused)).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterSeconds: 5,
    });
    expect(refused.context.caller).toBeUndefined();
    expect([...refused.context.responseHeaders]).toEqual([]);
  });
});
