import type { FastifyRequest } from 'fastify';
import { callerOf } from '../auth/caller.js';
import type { DecisionAllowance, DecisionQuota } from '../billing/decisions/decision-quota.js';
import type { MeteredResponse } from '../billing/metering/metered-response.service.js';
import type { CreditHold } from '../billing/holds/credit-hold.js';
import { FREE } from '../billing/price.js';
import { fundsOf } from '../billing/holds/request-funds.js';
import { isGuardCall } from '../guard/is-guard-call.js';
import { AppError } from '../platform/errors/app-error.js';
import { serviceUnavailable } from '../platform/errors/service-unavailable.js';
import { inTime } from './call-time.js';
import { degradedResult } from './degraded-result.js';
import type { SingleOptions, VerifyService } from './verify.service.js';

export interface RemoteDecisionsParts {
  readonly singles: Pick<VerifyService, 'single'>;
  readonly quota: Pick<DecisionQuota, 'take' | 'giveBack'>;
  /** `GUARD_DEADLINE_MS` */
  readonly deadlineMs: number;
  readonly onDecision?: (outcome: DecisionOutcome) => void;
}

/** `degraded`: past the quota of the month. `failed`: an error was answered, for lack of time or money, or a fault of ours. */
export type DecisionOutcome = 'decided' | 'pending' | 'degraded' | 'failed';

/** What a guard asks. */
export interface GuardQuestion {
  readonly email: string;
  readonly options: Omit<SingleOptions, 'pendingAfterMs'>;
  /** How long ago its request came in, milliseconds. */
  readonly ageMs: number;
}

/** Of the deadline: for writing down what is pending, and for the charge. */
const RESERVED = 1 / 6;

/**
 * Singles of guards (decisions 9.3): counted against the quota of the month before anything else is done, and answered by
 * their deadline, because a form waits no longer.
 */
export class RemoteDecisions {
  constructor(private readonly parts: RemoteDecisionsParts) {}

  /** Whether a request to verify one address is a guard's remote decision. */
  isOne(request: FastifyRequest): boolean {
    return callerOf(request)?.mode === 'live' && isGuardCall(request.headers);
  }

  /**
   * @param deliver answers the call with what the work given to it delivers
   * @throws what `deliver` does, and AppError `service_unavailable` when the database did not do its part in time
   */
  async answer(
    request: FastifyRequest,
    { email, options, ageMs }: GuardQuestion,
    deliver: (work: (hold: CreditHold) => Promise<MeteredResponse>) => Promise<string>,
  ): Promise<string> {
    const { quota, singles, deadlineMs, onDecision } = this.parts;
    const dueAt = performance.now() - ageMs + deadlineMs;
    const pendingAt = dueAt - deadlineMs * RESERVED;
    let giveBack = (): void => undefined;
    let outcome: DecisionOutcome = 'decided';
    const decide = async (hold: CreditHold): Promise<MeteredResponse> => {
      const allowance = await allowanceOf(request);
      const counting = quota.take(allowance);
      // Also where nobody waits for the count any more when it comes.
      giveBack = () => void counting.then((isCounted) => isCounted && quota.giveBack(allowance)).catch(() => undefined);
      if (!(await counting)) {
        outcome = 'degraded';
        return { status: 200, body: degradedResult(email), price: FREE };
      }
      if (performance.now() >= dueAt) throw late();
      const pendingAfterMs = Math.max(1, pendingAt - performance.now());
      const response = await singles.single(email, { ...options, pendingAfterMs }, hold);
      if (response.waiting !== undefined) outcome = 'pending';
      return { ...response, payBy: dueAt };
    };
    try {
      const answer = await deliver((hold) => by(dueAt, decide(hold), hold));
      onDecision?.(outcome);
      return answer;
    } catch (error) {
      onDecision?.('failed');
      if (!mayBeFetched(request, error)) giveBack();
      throw error;
    }
  }
}

/** The month is that of the balance the call was shown: it is counted where it is charged. */
async function allowanceOf(request: FastifyRequest): Promise<DecisionAllowance> {
  const { accountId, plan } = callerOf(request)!;
  const { funds } = await fundsOf(request);
  return { accountId, month: funds.month, perMonth: plan.guardDecisionsPerMonth };
}

/** What the work comes to by then; later it is not delivered. */
async function by(
  dueAt: number,
  work: Promise<MeteredResponse>,
  hold: Pick<CreditHold, 'callerIsGone'>,
): Promise<MeteredResponse> {
  const response = await inTime(work, Math.max(1, dueAt - performance.now()));
  if (response !== null) return response;
  // There is nobody to be told so in time: a probe of the call that has begun is paid.
  if (hold.callerIsGone()) return work;
  void work.then(({ after }) => after?.(false)).catch(() => undefined);
  throw late();
}

function late(): AppError {
  return serviceUnavailable(new Error('a remote decision was not there in time'));
}

/** Under an `Idempotency-Key` an answer may be kept although its call was told that it failed. */
function mayBeFetched(request: FastifyRequest, error: unknown): boolean {
  return (
    request.headers['idempotency-key'] !== undefined &&
    error instanceof AppError &&
    error.code === 'service_unavailable'
  );
}
