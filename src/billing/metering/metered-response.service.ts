import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import { newId } from '../../platform/ids/uuid.js';
import { IdempotentCalls, setHeaders, toKept, type Answer, type Call, type IdempotentCallsParts } from './idempotent-calls.js';
import type { ChargeOutcome } from '../charging/charge.js';
import type { ChargeBatcher } from '../charging/charge-batcher.js';
import { creditsOf, type Funds } from '../funds.js';
import { showFunds } from '../credits/funds-headers.js';
import type { FreeAnswers } from '../idempotency/free-answers.js';
import type { Lease, StoredAnswer } from '../idempotency/idempotency.repository.js';
import { stillRunning, type IdempotencyService } from '../idempotency/idempotency.service.js';
import { payablePrefix } from '../holds/payable-prefix.js';
import type { CreditHold } from '../holds/credit-hold.js';
import type { Price } from '../price.js';
import type { WaitingPart } from '../pending-charges/waiting-part.js';

export type { CreditHold };

/** What a call delivers, ready to be paid. */
export interface MeteredResponse extends Answer {
  /** What it costs in the end: nothing for what could not be completed. */
  readonly price: Price;
  /** What of the price waits on deferred probes. */
  readonly waiting?: readonly WaitingPart[];
  /** A probe of the call has begun: the call is charged even when its caller has hung up meanwhile. */
  readonly probed?: boolean;
  /** How less of it is delivered where the balance turns out to be too low; without it such a call is refused. */
  readonly shorten?: {
    /** Credits of each entry, 0 for one that is free: they add up to the price. */
    readonly unitPrices: readonly number[];
    /** The same call, of which only so many entries from the start are delivered. Its own `shorten` is not asked. */
    to(entries: number): MeteredResponse;
  };
  /**
   * Moment on the monotonic clock (`performance.now()`) by which it is to be paid: later it is refused, and what is paid all
   * the same is given back, unless it is kept to be fetched. As long as it takes when left out.
   */
  readonly payBy?: number;
  /**
   * Called once after the charge, before the answer is sent, of the response that was charged or tried last: true when it
   * is paid or costs nothing, false when it is not delivered. What it promises after a charge is waited for. Must not throw.
   */
  readonly after?: (paid: boolean) => void | Promise<void>;
}

export interface MeteredResponseServiceParts extends IdempotentCallsParts {
  readonly batcher: Pick<ChargeBatcher, 'charge'>;
  readonly idempotency: IdempotencyService;
  readonly freeAnswers: Pick<FreeAnswers, 'count'>;
}

const NOTHING_WAITS: readonly WaitingPart[] = [];
const NEVER = (): boolean => false;
/** How often a call is made shorter that the balance does not reach for: others of its account may be quicker each time. */
const MAX_SHORTENINGS = 5;

/**
 * Answers calls that cost something: paid when the result exists and before it is sent, in one transaction with the answer
 * that is kept for repeats (decisions 4.1, 1.7).
 */
export class MeteredResponseService implements BeforeApplicationShutdown {
  private readonly calls: IdempotentCalls;

  constructor(private readonly parts: MeteredResponseServiceParts) {
    this.calls = new IdempotentCalls(parts);
  }

  /**
   * @param what kind of call, the first word of its charge's reference
   * @param work made at once or in time; what costs nothing and is there at once is answered without another promise
   * @returns the text of the JSON answer
   * @throws AppError of `work`, `insufficient_credits`, `idempotency_conflict`, `validation_failed` for a key that is none
   */
  deliver(
    request: FastifyRequest,
    what: string,
    work: (hold: CreditHold) => MeteredResponse | Promise<MeteredResponse>,
  ): Promise<string> {
    return this.calls.run(request, (call, hold) => {
      const hand = (response: MeteredResponse): string | Promise<string> => {
        const isFree = call.caller.mode === 'test' || response.price.addresses === 0;
        return isFree ? this.give(call, response) : this.sell(call, `${what}:${newId()}`, response, hold);
      };
      const made = work(hold);
      return made instanceof Promise ? made.then(hand) : hand(made);
    });
  }

  /** Waits for calls under way: one whose caller has hung up is not waited for by the HTTP server. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.calls.idle();
  }

  /** What costs nothing. */
  private give({ request, caller, lease }: Call, response: MeteredResponse): string | Promise<string> {
    const given = (text: string): string => {
      setHeaders(request, response.headers);
      void this.conclude(response, true);
      return text;
    };
    const failed = (error: unknown): never => {
      void this.conclude(response, false);
      throw error;
    };
    try {
      const text = JSON.stringify(response.body);
      if (lease === null) return given(text);
      return this.keep(caller, lease, toKept(response, text)).then(() => given(text), failed);
    } catch (error) {
      return failed(error);
    }
  }

  private async keep(caller: Caller, lease: Lease, answer: StoredAnswer): Promise<void> {
    await this.parts.freeAnswers.count(caller, answer.body.length);
    await this.parts.idempotency.keep(lease, answer);
  }

  /** What is paid, whole or as far as the balance goes. */
  private async sell(call: Call, reference: string, response: MeteredResponse, hold: CreditHold): Promise<string> {
    const { request, lease } = call;
    let offered = response;
    let paid = false;
    try {
      for (let shortenings = 0; ; shortenings++) {
        const text = JSON.stringify(offered.body);
        const priced = { ...offered, price: hold.priceWithinCall(response.price, offered.price) };
        const outcome = await this.charge(call, reference, priced, text, hold);
        if (outcome.kind === 'superseded') throw stillRunning();
        if (outcome.kind === 'withdrawn') {
          // Nobody reads the answer; the next call with its key is a first one.
          if (lease !== null) this.calls.release(lease);
          return text;
        }
        showFunds(request, outcome.funds);
        if (outcome.kind === 'charged') {
          setHeaders(request, { ...offered.headers, 'X-Credits-Used': String(creditsUsed(outcome)) });
          hold.fundsAfterCharge = outcome.funds;
          paid = true;
          return text;
        }
        const shorter = shortenings < MAX_SHORTENINGS ? shortened(response, outcome.funds) : null;
        if (shorter === null) {
          const missing = hold.shortfall(response.price, outcome.funds);
          throw hold.insufficientCredits(missing, response.price.addresses, outcome.funds);
        }
        offered = shorter;
      }
    } finally {
      await this.conclude(offered, paid);
    }
  }

  private charge(
    { caller, lease }: Call,
    reference: string,
    response: MeteredResponse,
    text: string,
    hold: CreditHold,
  ): Promise<ChargeOutcome> {
    const { accountId, keyId, plan } = caller;
    const { price, waiting = NOTHING_WAITS, payBy, probed = false } = response;
    const { freeVerifiesPerMonth } = plan;
    const answer = lease && { ...lease, ...toKept(response, text) };
    const charge = { accountId, keyId, reference, price, freeVerifiesPerMonth, answer, waiting };
    const isGone = probed ? NEVER : () => hold.callerIsGone();
    // Nobody waits any more for a call that is charged although its caller has hung up.
    const isHurried = payBy !== undefined && !(probed && hold.callerIsGone());
    const giveUpAfterMs = isHurried ? Math.max(0, payBy - performance.now()) : undefined;
    return this.parts.batcher.charge(charge, isGone, giveUpAfterMs);
  }

  private async conclude({ after }: MeteredResponse, paid: boolean): Promise<void> {
    try {
      await after?.(paid);
    } catch (error) {
      this.parts.onTrouble('what follows a charge failed', error);
    }
  }
}

/** As much of a response as the credits reach for, which the allowance is too small for; null: nothing that costs something. */
function shortened({ shorten }: MeteredResponse, funds: Funds): MeteredResponse | null {
  const means = { credits: creditsOf(funds), freeVerifies: 0 };
  const prefix = shorten === undefined ? null : payablePrefix(shorten.unitPrices, means);
  return prefix && shorten!.to(prefix.entries);
}

function creditsUsed({ payment }: ChargeOutcome & { kind: 'charged' }): number {
  return payment.purchased + payment.gifted;
}
