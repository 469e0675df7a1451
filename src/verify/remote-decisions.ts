import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../auth/caller.js';
import { DecisionQuota, type DecisionAllowance } from '../billing/decisions/decision-quota.js';
import { fundsOf } from '../billing/holds/request-funds.js';
import { creditHoldOf } from '../billing/metering/metered-call.js';
import type { MeteredResponse } from '../billing/metering/metered-response.js';
import { FREE } from '../billing/price.js';
import { isGuardCall } from '../guard/is-guard-call.js';
import type { AppError } from '../platform/errors/app-error.js';
import { AppConfig } from '../platform/config/app-config.js';
import { serviceUnavailable } from '../platform/errors/service-unavailable.js';
import { inTime } from './call-time.js';
import { DecisionMetrics, type DecisionOutcome } from './decision-metrics.js';
import { degradedResult } from './to-verify-result.js';
import type { SingleCall, SingleOptions } from './single-check.js';
import { VerifyService } from './verify.service.js';

/** The question that a guard asks. */
export interface GuardQuestion {
  readonly email: string;
  readonly options: Omit<SingleOptions, 'pendingAfterMs'>;
  /** Milliseconds since the request arrived. */
  readonly ageMs: number;
}

type Hold = SingleCall['hold'];

interface Counted {
  readonly allowance: DecisionAllowance;
  /** False: the monthly quota is used up. */
  readonly isCounted: boolean;
}

interface Decision {
  readonly outcome: Exclude<DecisionOutcome, 'failed'>;
  readonly response: MeteredResponse;
}

/** Share of the deadline reserved for storing the pending probe and for the charge. */
const RESERVED = 1 / 6;

/**
 * Singles of guards (decisions 9.3): counted against the monthly quota first, and answered by their deadline, because a
 * form waits no longer.
 */
@Injectable()
export class RemoteDecisions {
  private readonly deadlineMs: number;

  constructor(
    private readonly singles: VerifyService,
    private readonly quota: DecisionQuota,
    { guard }: AppConfig,
    private readonly metrics: DecisionMetrics,
  ) {
    this.deadlineMs = guard.deadlineMs;
  }

  /** Whether a request to verify one address is a guard's remote decision. */
  isOne(request: FastifyRequest): boolean {
    return callerOf(request)?.mode === 'live' && isGuardCall(request.headers);
  }

  /** @throws AppError of the check, or `service_unavailable` when the database was too slow */
  async decide(request: FastifyRequest, question: GuardQuestion): Promise<MeteredResponse> {
    const dueAt = performance.now() - question.ageMs + this.deadlineMs;
    const hold = creditHoldOf(request);
    const counting = this.count(request);
    const failed = (mayBeKept: boolean): void => {
      this.metrics.count('failed');
      if (!mayBeKept) this.uncount(counting);
    };
    try {
      const decision = await inTimeOrPaid(this.find(question, counting, dueAt, hold), dueAt, hold);
      const after: MeteredResponse['after'] = (paid, error) => {
        const concluded = decision.response.after?.(paid, error);
        if (error === undefined) this.metrics.count(decision.outcome);
        else failed(paid === null);
        return concluded;
      };
      return { ...decision.response, after };
    } catch (error) {
      failed(false);
      throw error;
    }
  }

  /** Counts the decision in the month of the balance that the call read, which is the month it is charged in. */
  private async count(request: FastifyRequest): Promise<Counted> {
    const { accountId, plan } = callerOf(request)!;
    const { funds } = await fundsOf(request);
    const allowance = { accountId, month: funds.month, perMonth: plan.guardDecisionsPerMonth };
    return { allowance, isCounted: await this.quota.take(allowance) };
  }

  private async find(
    { email, options }: GuardQuestion,
    counting: Promise<Counted>,
    dueAt: number,
    hold: Hold,
  ): Promise<Decision> {
    const { isCounted } = await counting;
    if (!isCounted) {
      return { outcome: 'degraded', response: { status: 200, body: degradedResult(email), price: FREE } };
    }
    if (performance.now() >= dueAt) throw late();
    const pendingAt = dueAt - this.deadlineMs * RESERVED;
    const pendingAfterMs = Math.max(1, pendingAt - performance.now());
    const response = await this.singles.single(email, { ...options, pendingAfterMs }, hold);
    const outcome = response.waiting === undefined ? 'decided' : 'pending';
    return { outcome, response: { ...response, payBy: dueAt } };
  }

  /** Uncounts a failed decision in the background, since the count may finish after the call. */
  private uncount(counting: Promise<Counted>): void {
    void counting
      .then(({ isCounted, allowance }) => isCounted && this.quota.giveBack(allowance))
      .catch(() => undefined);
  }
}

/** Returns the decision if it is ready in time; a late one is not delivered. */
async function inTimeOrPaid(deciding: Promise<Decision>, dueAt: number, hold: Hold): Promise<Decision> {
  const decision = await inTime(deciding, Math.max(1, dueAt - performance.now()));
  if (decision !== null) return decision;
  // The caller is gone and needs no error in time: the charge of a probe that has begun still goes through.
  if (hold.callerIsGone()) return deciding;
  void deciding.then(async ({ response }) => response.after?.(false)).catch(() => undefined);
  throw late();
}

function late(): AppError {
  return serviceUnavailable(new Error('a remote decision was not made in time'));
}
