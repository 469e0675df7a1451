import { plan } from '../../test/factories/plan.js';
import type { FastifyRequest } from 'fastify';
import type { DecisionAllowance } from '../billing/decisions/decision-quota.js';
import type { MeteredResponse } from '../billing/metering/metered-response.service.js';
import type { CreditHold } from '../billing/holds/credit-hold.js';
import { FREE } from '../billing/price.js';
import { AppError } from '../platform/errors/app-error.js';
import { serviceUnavailable } from '../platform/errors/service-unavailable.js';
import { RemoteDecisions } from './remote-decisions.js';
import type { SingleOptions } from './verify.service.js';

const PLAN = plan({ freeVerifiesPerMonth: 0, guardDecisionsPerMonth: 7 });
const FUNDS = { purchased: 0, gifted: 0, month: 202611, freeVerifiesUsed: 0 };
const OPTIONS = { account: 'a', mode: 'standard', maxAgeSeconds: null, deadlineMs: 8000, async: false } as const;

function requestWith(headers: Record<string, string> = {}, mode: 'live' | 'test' = 'live'): FastifyRequest {
  const context = {
    caller: { accountId: 'a', keyId: 'k', mode, plan: PLAN },
    funds: Promise.resolve({ kind: 'known', reading: { funds: FUNDS, asOf: 0 } }),
  };
  return { headers, context } as unknown as FastifyRequest;
}

interface World {
  readonly isCounted?: boolean | Promise<boolean>;
  readonly single?: (options: SingleOptions) => Promise<MeteredResponse>;
  readonly headers?: Record<string, string>;
  readonly isGone?: boolean;
  readonly deliver?: (work: (hold: CreditHold) => Promise<MeteredResponse>) => Promise<string>;
}

function scene({ isCounted = true, single, headers = {}, isGone = false, deliver }: World = {}) {
  const given: DecisionAllowance[] = [];
  const asked: SingleOptions[] = [];
  const delivered: MeteredResponse[] = [];
  const decisions = new RemoteDecisions({
    deadlineMs: 600,
    quota: {
      take: async () => isCounted,
      giveBack: (allowance) => void given.push(allowance),
    },
    singles: {
      single: (_email, options) => {
        asked.push(options);
        return single?.(options) ?? Promise.resolve({ status: 200, body: 'done', price: FREE });
      },
    },
  });
  const answer = (ageMs = 0): Promise<string> =>
    decisions.answer(
      requestWith(headers),
      { email: 'Ada@Example.com', options: OPTIONS, ageMs },
      deliver ??
        (async (work) => {
          delivered.push(await work({ callerIsGone: () => isGone } as CreditHold));
          return 'sent';
        }),
    );
  const outcome = async (promise: Promise<string>): Promise<string> => {
    const [settled] = await Promise.allSettled([promise]);
    return settled.status === 'fulfilled' ? settled.value : (settled.reason as AppError).code;
  };
  return { decisions, given, asked, delivered, answer, outcome };
}

describe('a remote decision', () => {
  // A decision is due after 600 ms, which pass only where a test says so.
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is a guard call with a live key', () => {
    const { decisions } = scene();
    const guard = { 'x-guard-integration': 'guard/1' };
    expect(decisions.isOne(requestWith(guard))).toBe(true);
    expect(decisions.isOne(requestWith(guard, 'test'))).toBe(false);
    expect(decisions.isOne(requestWith())).toBe(false);
  });

  it('is settled or pending while there is time for the charge, counted from when the request came in', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(10_000);
    const { answer, asked, delivered } = scene();
    expect(await answer(150)).toBe('sent');
    expect(asked).toEqual([{ ...OPTIONS, pendingAfterMs: 350 }]);
    expect(delivered).toEqual([{ status: 200, body: 'done', price: FREE, payBy: 10_450 }]);
    jest.restoreAllMocks();
  });

  it('says nothing of the address past the quota, asks nobody and costs nothing', async () => {
    const { answer, asked, delivered, given } = scene({ isCounted: false });
    expect(await answer()).toBe('sent');
    expect(asked).toEqual([]);
    expect(delivered).toMatchObject([
      {
        status: 200,
        price: FREE,
        body: {
          email: 'ada@example.com',
          result: 'unknown',
          deliverable: null,
          reason: null,
          score: null,
          checked_at: null,
          decision: { recommendation: 'review', reasons: [] },
          degraded: true,
        },
      },
    ]);
    expect(given).toEqual([]);
  });

  it.each(['insufficient_credits', 'verify_unavailable', 'service_unavailable'] as const)(
    'that ends in %s is given back, to the month it was counted in',
    async (code) => {
      const { answer, outcome, given } = scene({ single: () => Promise.reject(new AppError(code, 'no')) });
      expect(await outcome(answer())).toBe(code);
      expect(given).toEqual([{ accountId: 'a', month: 202611, perMonth: 7 }]);
    },
  );

  it('stays counted where the answer may be kept all the same, and not where it cannot be', async () => {
    const headers = { 'idempotency-key': 'k' };
    const late = scene({ headers, single: () => Promise.reject(serviceUnavailable(new Error('late'))) });
    await late.outcome(late.answer());
    expect(late.given).toEqual([]);
    const ours = scene({ headers, single: () => Promise.reject(new AppError('verify_unavailable', 'no')) });
    await ours.outcome(ours.answer());
    expect(ours.given).toHaveLength(1);
  });

  it('that was not asked for at all, like a repeat, is not counted', async () => {
    const { answer, outcome, given } = scene({
      deliver: () => Promise.reject(new AppError('idempotency_conflict', 'no')),
    });
    expect(await outcome(answer())).toBe('idempotency_conflict');
    expect(given).toEqual([]);
  });

  it('is refused when it is due, whoever is late; what comes of it later is not delivered', async () => {
    const after = jest.fn();
    let finish!: (response: MeteredResponse) => void;
    const slow = scene({ single: () => new Promise((resolve) => (finish = resolve)) });
    const call = slow.outcome(slow.answer());
    await jest.advanceTimersByTimeAsync(600);
    expect(await call).toBe('service_unavailable');
    expect(slow.given).toHaveLength(1);
    finish({ status: 200, body: 'late', price: FREE, after });
    await jest.advanceTimersByTimeAsync(0);
    expect(after).toHaveBeenCalledWith(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is delivered late where its caller has hung up: a probe that has begun is paid', async () => {
    let finish!: (response: MeteredResponse) => void;
    const slow = scene({ isGone: true, single: () => new Promise((resolve) => (finish = resolve)) });
    const call = slow.outcome(slow.answer());
    await jest.advanceTimersByTimeAsync(600);
    finish({ status: 200, body: 'late', price: FREE, probed: true });
    expect(await call).toBe('sent');
    expect(slow.delivered).toMatchObject([{ body: 'late', probed: true }]);
    expect(slow.given).toEqual([]);
  });

  it('is given back also when its count comes after it was refused, and nobody is asked then', async () => {
    let count!: (isCounted: boolean) => void;
    const slow = scene({ isCounted: new Promise((resolve) => (count = resolve)) });
    const call = slow.outcome(slow.answer());
    await jest.advanceTimersByTimeAsync(600);
    expect(await call).toBe('service_unavailable');
    expect(slow.given).toEqual([]);
    count(true);
    await jest.advanceTimersByTimeAsync(0);
    expect(slow.given).toHaveLength(1);
    expect(slow.asked).toEqual([]);
  });
});
