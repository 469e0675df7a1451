import { plan } from '../../test/factories/plan.js';
import type { FastifyRequest } from 'fastify';
import type { DecisionAllowance, DecisionQuota } from '../billing/decisions/decision-quota.js';
import type { MeteredResponse } from '../billing/metering/metered-response.js';
import { FREE } from '../billing/price.js';
import { AppError } from '../platform/errors/app-error.js';
import { serviceUnavailable } from '../platform/errors/service-unavailable.js';
import type { AppConfig } from '../platform/config/app-config.js';
import type { DecisionMetrics, DecisionOutcome } from './decision-metrics.js';
import { RemoteDecisions } from './remote-decisions.js';
import type { SingleOptions } from './single-check.js';
import type { VerifyService } from './verify.service.js';

const PLAN = plan({ freeVerifiesPerMonth: 0, guardDecisionsPerMonth: 7 });
const FUNDS = { purchased: 0, gifted: 0, month: 202611, freeVerifiesUsed: 0 };
const OPTIONS = { account: 'a', mode: 'standard', maxAgeSeconds: null, deadlineMs: 8000, async: false } as const;

function requestWith(
  headers: Record<string, string> = {},
  { mode = 'live', isGone = false }: { readonly mode?: 'live' | 'test'; readonly isGone?: boolean } = {},
): FastifyRequest {
  const context = {
    caller: { accountId: 'a', keyId: 'k', mode, plan: PLAN },
    funds: Promise.resolve({ kind: 'known', reading: { funds: FUNDS, asOf: 0 } }),
    creditHold: { callerIsGone: () => isGone },
  };
  return { headers, context } as unknown as FastifyRequest;
}

interface World {
  readonly isCounted?: boolean | Promise<boolean>;
  readonly single?: (options: SingleOptions) => Promise<MeteredResponse>;
  readonly headers?: Record<string, string>;
  readonly isGone?: boolean;
}

function scene({ isCounted = true, single, headers = {}, isGone = false }: World = {}) {
  const given: DecisionAllowance[] = [];
  const asked: SingleOptions[] = [];
  const counted: DecisionOutcome[] = [];
  const quota: Pick<DecisionQuota, 'take' | 'giveBack'> = {
    take: async () => isCounted,
    giveBack: (allowance) => void given.push(allowance),
  };
  const singles: Pick<VerifyService, 'single'> = {
    single: (_email, options) => {
      asked.push(options);
      return single?.(options) ?? Promise.resolve({ status: 200, body: 'done', price: FREE });
    },
  };
  const metrics: Pick<DecisionMetrics, 'count'> = { count: (outcome) => void counted.push(outcome) };
  const decisions = new RemoteDecisions(
    singles as VerifyService,
    quota as DecisionQuota,
    { guard: { deadlineMs: 600 } } as AppConfig,
    metrics as DecisionMetrics,
  );
  const decide = (ageMs = 0): Promise<MeteredResponse> =>
    decisions.decide(requestWith(headers, { isGone }), { email: 'Ada@Example.com', options: OPTIONS, ageMs });
  const codeOf = async (promise: Promise<unknown>): Promise<string> => {
    const [settled] = await Promise.allSettled([promise]);
    return settled.status === 'fulfilled' ? 'none' : (settled.reason as AppError).code;
  };
  return { decisions, given, asked, counted, decide, codeOf };
}

describe('a remote decision', () => {
  // A decision is due after 600 ms of fake time, which each test advances itself.
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is made for a guard call with a live key', () => {
    const { decisions } = scene();
    const guard = { 'x-guard-integration': 'guard/1' };
    expect(decisions.isOne(requestWith(guard))).toBe(true);
    expect(decisions.isOne(requestWith(guard, { mode: 'test' }))).toBe(false);
    expect(decisions.isOne(requestWith())).toBe(false);
  });

  it('is settled or pending in time for the charge, counted from the arrival of the request', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(10_000);
    const { decide, asked } = scene();
    expect(await decide(150)).toMatchObject({ status: 200, body: 'done', price: FREE, payBy: 10_450 });
    expect(asked).toEqual([{ ...OPTIONS, pendingAfterMs: 350 }]);
    jest.restoreAllMocks();
  });

  it('past the quota contains no facts, makes no probe and costs nothing', async () => {
    const { decide, asked, given, counted } = scene({ isCounted: false });
    const response = await decide();
    await response.after?.(true);
    expect([asked, counted]).toEqual([[], ['degraded']]);
    expect(response).toMatchObject({
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
    });
    expect(given).toEqual([]);
  });

  it.each(['insufficient_credits', 'verify_unavailable', 'service_unavailable'] as const)(
    'that ends in %s is given back, to the month it was counted in, whether the check or the charge does',
    async (code) => {
      const error = new AppError(code, 'no');
      const unchecked = scene({ single: () => Promise.reject(error) });
      expect(await unchecked.codeOf(unchecked.decide())).toBe(code);
      const unpaid = scene();
      await (await unpaid.decide()).after?.(false, error);
      await jest.advanceTimersByTimeAsync(0);
      for (const { given, counted } of [unchecked, unpaid]) {
        expect([given, counted]).toEqual([[{ accountId: 'a', month: 202611, perMonth: 7 }], ['failed']]);
      }
    },
  );

  it('past the quota was not counted, and is not given back if its answer cannot be stored', async () => {
    const { decide, given, counted } = scene({ isCounted: false });
    await (await decide()).after?.(false, serviceUnavailable(new Error('away')));
    await jest.advanceTimersByTimeAsync(0);
    expect([given, counted]).toEqual([[], ['failed']]);
  });

  it('stays counted if its charge may yet commit with the answer, and not otherwise', async () => {
    const error = serviceUnavailable(new Error('late'));
    const kept = scene();
    await (await kept.decide()).after?.(null, error);
    const lost = scene();
    await (await lost.decide()).after?.(false, error);
    await jest.advanceTimersByTimeAsync(0);
    expect([kept.given, kept.counted]).toEqual([[], ['failed']]);
    expect(lost.given).toHaveLength(1);
  });

  it('is given back if it was not made in time, under an Idempotency-Key too: nothing is kept of it', async () => {
    const slow = scene({ headers: { 'idempotency-key': 'k' }, single: () => new Promise(() => undefined) });
    const call = slow.codeOf(slow.decide());
    await jest.advanceTimersByTimeAsync(600);
    expect(await call).toBe('service_unavailable');
    expect(slow.given).toHaveLength(1);
  });

  it('tells the check whether it was paid, and counts delivered and abandoned answers', async () => {
    const after = jest.fn();
    const waiting = [{ waitsOn: 'p', part: '0', credits: 1 }];
    const { decide, counted, given } = scene({
      single: () => Promise.resolve({ status: 200, body: 'pending', price: FREE, waiting, after }),
    });
    await (await decide()).after?.(true);
    await (await decide()).after?.(false);
    expect(after.mock.calls).toEqual([
      [true, undefined],
      [false, undefined],
    ]);
    expect([counted, given]).toEqual([['pending', 'pending'], []]);
  });

  it('is refused at its deadline, and a later answer is not delivered', async () => {
    const after = jest.fn();
    let finish!: (response: MeteredResponse) => void;
    const slow = scene({ single: () => new Promise((resolve) => (finish = resolve)) });
    const call = slow.codeOf(slow.decide());
    await jest.advanceTimersByTimeAsync(600);
    expect(await call).toBe('service_unavailable');
    expect(slow.given).toHaveLength(1);
    finish({ status: 200, body: 'late', price: FREE, after });
    await jest.advanceTimersByTimeAsync(0);
    expect(after).toHaveBeenCalledWith(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is charged late if its caller has disconnected: a probe that has begun is paid', async () => {
    let finish!: (response: MeteredResponse) => void;
    const slow = scene({ isGone: true, single: () => new Promise((resolve) => (finish = resolve)) });
    const call = slow.decide();
    await jest.advanceTimersByTimeAsync(600);
    finish({ status: 200, body: 'late', price: FREE, probed: true });
    expect(await call).toMatchObject({ body: 'late', probed: true });
    expect(slow.given).toEqual([]);
  });

  it('is uncounted if its count comes after it was refused, and then makes no probe', async () => {
    let count!: (isCounted: boolean) => void;
    const slow = scene({ isCounted: new Promise((resolve) => (count = resolve)) });
    const call = slow.codeOf(slow.decide());
    await jest.advanceTimersByTimeAsync(600);
    expect(await call).toBe('service_unavailable');
    expect(slow.given).toEqual([]);
    count(true);
    await jest.advanceTimersByTimeAsync(0);
    expect(slow.given).toHaveLength(1);
    expect(slow.asked).toEqual([]);
  });
});
