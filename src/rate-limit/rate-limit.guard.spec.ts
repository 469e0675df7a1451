import { plan } from '../../test/factories/plan.js';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MalformedKeyError, UnknownKeyError } from '../auth/auth.errors.js';
import type { ApiKeyGate } from '../auth/api-key.gate.js';
import type { Caller } from '../auth/caller.js';
import type { AppConfig } from '../platform/config/app-config.js';
import type { Buckets } from './buckets.js';
import type { RateLimitMetrics, Refusal } from './rate-limit-metrics.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import type { TokenDecision } from './token-bucket.js';

const CALLER: Caller = {
  accountId: 'account',
  keyId: 'key-id',
  mode: 'live',
  plan: plan(),
};
const GRANTED: TokenDecision = { allowed: true, limit: 60, remaining: 41, resetAt: 1000, nextTokenInSeconds: 1 };
const REFUSED: TokenDecision = { allowed: false, limit: 60, remaining: 0, resetAt: 1041, nextTokenInSeconds: 3 };

function request(options: { readonly ip?: string; readonly publicRoute?: boolean } = {}): FastifyRequest {
  return {
    ip: options.ip,
    context: { requestId: 'r', responseHeaders: new Map() },
    routeOptions: { config: { publicRoute: options.publicRoute } },
  } as unknown as FastifyRequest;
}

interface World {
  /** What comes of the key: none is thrown when it is in force. */
  readonly key?: Error;
  /** Whether its key was in force a moment ago. */
  readonly remembered?: boolean;
  readonly decision?: TokenDecision;
  readonly awayMs?: number | null;
  readonly failOpenMs?: number;
}

function gateIn({ key, remembered = false, decision = GRANTED, awayMs = null, failOpenMs = 30_000 }: World) {
  const taken: [string, string, number][] = [];
  const refusals: Refusal[] = [];
  const keys = {
    recognise: (asking: FastifyRequest) => {
      if (remembered) asking.context.caller = CALLER;
      return remembered;
    },
    admit: async (asking: FastifyRequest) => {
      if (key !== undefined) throw key;
      asking.context.caller = CALLER;
    },
  } as ApiKeyGate;
  const take = async (kind: string, id: string, capacity: number): Promise<TokenDecision> => {
    taken.push([kind, id, capacity]);
    return decision;
  };
  const buckets = { awayMs, take } as unknown as Buckets;
  const config = { rateLimit: { authFailuresPerMinute: 30, failOpenMs } } as AppConfig;
  const metrics = { countRefusal: (why: Refusal) => void refusals.push(why) } as unknown as RateLimitMetrics;
  return { gate: new RateLimitGuard(keys, buckets, config, metrics), taken, refusals };
}

const headersOf = ({ context }: FastifyRequest): object => Object.fromEntries(context.responseHeaders);

describe('a valid key', () => {
  it('takes one token of its own bucket, of the size of its plan', async () => {
    const { gate, taken } = gateIn({});
    const admitted = request();
    await gate.admit(admitted);
    expect(taken).toEqual([['key', 'key-id', 60]]);
    expect(admitted.context.rateLimit).toEqual({ limit: 60, remaining: 41, resetAt: 1000 });
    expect(headersOf(admitted)).toEqual({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '41',
      'X-RateLimit-Reset': '1000',
      'RateLimit-Policy': '"default";q=60;w=60',
      RateLimit: '"default";r=41;t=1',
    });
  });

  it('takes its token when it is cached, too', async () => {
    const { gate, taken } = gateIn({ remembered: true, key: new Error('asked') });
    await gate.admit(request());
    expect(taken).toEqual([['key', 'key-id', 60]]);
  });

  it('is refused without a token, and told when to retry', async () => {
    const { gate, refusals } = gateIn({ decision: REFUSED });
    const refused = request();
    await expect(gate.admit(refused)).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 3 });
    expect(refusals).toEqual(['limit']);
    expect(refused.context.rateLimit).toBeUndefined();
    expect(headersOf(refused)).toMatchObject({ 'X-RateLimit-Remaining': '0', RateLimit: '"default";r=0;t=3' });
  });

  it('is limited by this process while Redis is down, for a while', async () => {
    const admitted = request();
    await gateIn({ awayMs: 29_999 }).gate.admit(admitted);
    expect(headersOf(admitted)).toMatchObject({ 'X-RateLimit-Remaining': '41' });
  });

  it.each([
    [30_000, 30_000],
    [0, 0],
  ])(
    'is answered 503 when Redis is down for %i ms of %i, and nothing is said of its limit',
    async (awayMs, failOpenMs) => {
      const refused = request();
      await expect(gateIn({ awayMs, failOpenMs }).gate.admit(refused)).rejects.toMatchObject({
        code: 'service_unavailable',
        retryAfterSeconds: 5,
      });
      expect(headersOf(refused)).toEqual({});
      expect(refused.context.rateLimit).toBeUndefined();
    },
  );
});

describe('a malformed key', () => {
  it('gets 401 and is not counted', async () => {
    const { gate, taken } = gateIn({ key: new MalformedKeyError(), decision: REFUSED });
    await expect(gate.admit(request({ ip: '192.0.2.1' }))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(taken).toEqual([]);
  });
});

describe('a well-formed key that is unknown or revoked', () => {
  it('gets 401 and counts against its client network', async () => {
    const { gate, taken } = gateIn({ key: new UnknownKeyError() });
    const refused = request({ ip: '2001:db8:1:2:3:4:5:6' });
    await expect(gate.admit(refused)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(taken).toEqual([['address', '2001:db8:1:2::/64', 30]]);
    expect(headersOf(refused)).toEqual({});
  });

  it('gets 429 from a network that has sent too many', async () => {
    const { gate } = gateIn({ key: new UnknownKeyError(), decision: REFUSED });
    const refused = request({ ip: '192.0.2.1' });
    await expect(gate.admit(refused)).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 3 });
    expect(headersOf(refused)).toEqual({});
  });

  it('gets 401 however long Redis is down', async () => {
    const { gate } = gateIn({ key: new UnknownKeyError(), awayMs: 3_600_000 });
    await expect(gate.admit(request())).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

it('a failed key look-up takes no token', async () => {
  const down = new Error('down');
  const { gate, taken } = gateIn({ key: down });
  await expect(gate.admit(request())).rejects.toBe(down);
  expect(taken).toEqual([]);
});

describe('on a route', () => {
  const passes = (asking: FastifyRequest): boolean =>
    gateIn({}).gate.canActivate({
      switchToHttp: () => ({ getRequest: () => asking }),
    } as unknown as ExecutionContext);

  it('accepts requests with a token, and public routes', async () => {
    const admitted = request();
    await gateIn({}).gate.admit(admitted);
    expect(passes(admitted)).toBe(true);
    expect(passes(request({ publicRoute: true }))).toBe(true);
  });

  it('refuses everything else', async () => {
    const refused = request();
    await gateIn({ decision: REFUSED })
      .gate.admit(refused)
      .catch(() => undefined);
    for (const asking of [request(), refused]) {
      expect(() => passes(asking)).toThrow(expect.objectContaining({ code: 'internal_error' }));
    }
  });
});
