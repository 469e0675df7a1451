import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { newId } from '../../platform/ids/uuid.js';
import { tracedStep } from '../../platform/tracing/tracing.js';
import { NotCharged, type ChargeOutcome } from '../charging/charge.js';
import { ChargeBatcher } from '../charging/charge-batcher.js';
import { creditsOf, type Funds } from '../funds.js';
import { payablePrefix } from '../holds/payable-prefix.js';
import { FreeAnswers } from '../idempotency/free-answers.js';
import { IdempotencyService, stillRunning } from '../idempotency/idempotency.service.js';
import type { Lease } from '../idempotency/idempotency.repository.js';
import type { WaitingPart } from '../pending-charges/waiting-part.js';
import type { MeteredCall } from './metered-call.js';
import { toStoredAnswer, type MeteredResponse } from './metered-response.js';

const NOTHING_WAITS: readonly WaitingPart[] = [];
const NEVER = (): boolean => false;
/**
 * How often to shorten a response that the balance does not cover: other calls of the account may spend first each
 * time.
 */
const MAX_SHORTENINGS = 5;

/**
 * Charges for a response after the result exists and before it is sent, in one transaction with the answer stored for
 * repeats (decisions 4.1, 1.7).
 */
@Injectable()
export class MeteredResponseService {
  private readonly logger = new Logger('Billing');
  private readonly chargeInGroup: ChargeBatcher['charge'];

  constructor(
    batcher: ChargeBatcher,
    private readonly idempotency: IdempotencyService,
    private readonly freeAnswers: FreeAnswers,
  ) {
    this.chargeInGroup = tracedStep('charge', batcher.charge.bind(batcher));
  }

  /**
   * @returns the JSON body; header values are set on the call
   * @throws AppError `insufficient_credits`, `idempotency_conflict`, `service_unavailable`: the call is then not
   * charged, or its answer is stored for repeats
   */
  charge(call: MeteredCall, response: MeteredResponse): string | Promise<string> {
    const isFree = call.caller.mode === 'test' || response.price.addresses === 0;
    if (!isFree) return this.answerCharged(call, `${call.kind}:${newId()}`, response);
    return call.lease === null ? this.answerFree(call, response) : this.answerAndStore(call, call.lease, response);
  }

  /** Synchronous: most free calls need nothing that takes time. */
  private answerFree(call: MeteredCall, response: MeteredResponse): string {
    const text = JSON.stringify(response.body);
    call.headers = response.headers;
    void this.conclude(response, true);
    return text;
  }

  private async answerAndStore(call: MeteredCall, lease: Lease, response: MeteredResponse): Promise<string> {
    try {
      const text = JSON.stringify(response.body);
      const answer = toStoredAnswer(response, text);
      await this.freeAnswers.count(call.caller, answer.body.length);
      await this.idempotency.storeAnswer(lease, answer);
      call.headers = response.headers;
      void this.conclude(response, true);
      return text;
    } catch (error) {
      void this.conclude(response, false, error);
      throw error;
    }
  }

  /**
   * Charges for the whole response, or as much of it as the balance covers.
   * @param reference of the charge, globally unique
   */
  private async answerCharged(call: MeteredCall, reference: string, response: MeteredResponse): Promise<string> {
    const { hold, lease } = call;
    let offered = response;
    try {
      for (let shortenings = 0; ; shortenings++) {
        const text = JSON.stringify(offered.body);
        const priced = { ...offered, price: hold.priceWithinCall(response.price, offered.price) };
        const outcome = await this.chargeOne(call, reference, priced, text);
        if (outcome.kind === 'superseded') throw stillRunning();
        if (outcome.kind === 'withdrawn') {
          // The client has disconnected; the next call with its key starts afresh.
          if (lease !== null) this.idempotency.release(lease);
          await this.conclude(offered, false);
          return text;
        }
        call.funds = outcome.funds;
        if (outcome.kind === 'charged') {
          call.headers = offered.headers;
          call.creditsUsed = creditsOf(outcome.payment);
          hold.fundsAfterCharge = outcome.funds;
          hold.payment = outcome.payment;
          await this.conclude(offered, true);
          return text;
        }
        const shorter = shortenings < MAX_SHORTENINGS ? shortened(response, outcome.funds) : null;
        if (shorter === null) {
          const missing = hold.shortfall(response.price, outcome.funds);
          throw hold.insufficientCredits(missing, response.price.addresses, outcome.funds);
        }
        offered = shorter;
      }
    } catch (error) {
      await this.conclude(offered, lease !== null && mayStand(error) ? null : false, error);
      throw error;
    }
  }

  private chargeOne(
    { caller, lease, hold }: MeteredCall,
    reference: string,
    response: MeteredResponse,
    text: string,
  ): Promise<ChargeOutcome> {
    const { accountId, keyId, plan } = caller;
    const { price, waiting = NOTHING_WAITS, payBy, probed = false } = response;
    const { freeVerifiesPerMonth } = plan;
    const answer = lease && { ...lease, ...toStoredAnswer(response, text) };
    const charge = { accountId, keyId, reference, price, freeVerifiesPerMonth, answer, waiting };
    const isGone = probed ? NEVER : () => hold.callerIsGone();
    // The client of a call that is charged despite a disconnect no longer waits.
    const isHurried = payBy !== undefined && !(probed && hold.callerIsGone());
    const giveUpAfterMs = isHurried ? Math.max(0, payBy - performance.now()) : undefined;
    return this.chargeInGroup(charge, isGone, giveUpAfterMs);
  }

  private conclude({ after }: MeteredResponse, paid: boolean | null, error?: unknown): Promise<void> | undefined {
    return after === undefined ? undefined : this.tell(after, paid, error);
  }

  private async tell(
    after: NonNullable<MeteredResponse['after']>,
    paid: boolean | null,
    error: unknown,
  ): Promise<void> {
    try {
      await after(paid, error);
    } catch (err) {
      this.logger.error({ err }, 'a step after a charge failed');
    }
  }
}

/**
 * Shortens a response that the allowance does not cover to what the credits pay for; null if they cover no paid entry.
 */
function shortened({ shorten }: MeteredResponse, funds: Funds): MeteredResponse | null {
  const means = { credits: creditsOf(funds), freeVerifies: 0 };
  const prefix = shorten === undefined ? null : payablePrefix(shorten.unitPrices, means);
  return prefix && shorten!.to(prefix.entries);
}

/** Whether the charge may be committed although it failed for its caller. */
function mayStand(error: unknown): boolean {
  return error instanceof AppError && error.code === 'service_unavailable' && !(error.cause instanceof NotCharged);
}
