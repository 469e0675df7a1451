import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Admission, Admitted } from './admission.js';
import { creditsOf, freeVerifiesLeft, pay, type Funds } from '../funds.js';
import type { Prefix } from './payable-prefix.js';
import { priceOf, type Price } from '../price.js';
import { fundsOf } from './request-funds.js';

/** What a call may ask of its account before it does any work. */
export interface Terms {
  /** True when the account could pay so much, as last read, if nothing else were under way. */
  canPay(price: Price): Promise<boolean>;
  /**
   * Lets the call begin what will cost so much at most; it may have to wait for others of its account.
   * @param maxWaitMs then it is refused
   * @throws AppError `insufficient_credits`, or `service_unavailable` when the balance is not known
   */
  admit(price: Price, maxWaitMs: number): Promise<void>;
  /**
   * The same for a call of which a beginning will do (decisions 4.4).
   * @param unitPrices what each entry will cost at most, 0 for one that is free
   * @param maxWaitMs then it gets what there is, or is refused
   * @returns how many entries from the start may be worked on
   * @throws AppError `insufficient_credits` when not even the first entry that costs something can be paid, or
   *   `service_unavailable`
   */
  admitPrefix(unitPrices: readonly number[], maxWaitMs: number): Promise<number>;
  /** True when the caller's connection is gone. One that the caller has closed for sending only is not. */
  isGone(): boolean;
}

/** The place of one call among those of its account. */
export class Place implements Terms {
  /** The account's funds after the call's charge. */
  left: Funds | null = null;
  /** Of the whole call, where only a beginning of it was let in. */
  private whole: Price | null = null;
  /** Credits of the entries that were not let in. */
  private notAdmitted = 0;
  private admitted: Admitted | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly caller: Caller,
    private readonly admission: Pick<Admission, 'enter'>,
  ) {}

  async canPay(price: Price): Promise<boolean> {
    const { mode, plan } = this.caller;
    if (mode === 'test') return true;
    const { funds } = await fundsOf(this.request);
    return pay(funds, price, plan.freeVerifiesPerMonth).kind === 'paid';
  }

  async admit(price: Price, maxWaitMs: number): Promise<void> {
    if (this.owes(price)) await this.enter(price, null, maxWaitMs);
  }

  async admitPrefix(unitPrices: readonly number[], maxWaitMs: number): Promise<number> {
    const price = priceOf(unitPrices);
    if (!this.owes(price)) return unitPrices.length;
    const prefix = await this.enter(price, unitPrices, maxWaitMs);
    this.notAdmitted = price.credits - prefix.price.credits;
    this.whole = prefix.price.ofCall === undefined ? null : price;
    return prefix.entries;
  }

  /** The price of what is delivered. @param offered of all that was to be delivered; what is paid may be a beginning of it */
  priceIn(offered: Price, price: Price): Price {
    const ofCall = Math.max(offered.addresses, this.whole?.addresses ?? 0);
    return ofCall > price.addresses ? { ...price, ofCall } : price;
  }

  /** Credits that are missing for the whole call, what was not let in included. */
  missingFor({ credits }: Price, funds: Funds): number {
    return Math.max(1, credits + this.notAdmitted - creditsOf(funds));
  }

  isGone(): boolean {
    return this.request.raw.socket.destroyed;
  }

  leave(): void {
    if (this.admitted?.kind === 'admitted') this.admitted.leave(this.left);
  }

  /** Nothing is asked of an account on whose behalf nothing is paid. */
  private owes({ addresses }: Price): boolean {
    return this.caller.mode !== 'test' && addresses > 0;
  }

  /** @returns what was let in */
  private async enter(price: Price, unitPrices: readonly number[] | null, maxWaitMs: number): Promise<Prefix> {
    const { accountId, plan } = this.caller;
    const reading = await fundsOf(this.request);
    const { freeVerifiesPerMonth } = plan;
    // Who asks again gives up what it held: it would wait for itself.
    this.leave();
    const asking = { accountId, price, unitPrices, freeVerifiesPerMonth, reading, maxWaitMs };
    this.admitted = await this.admission.enter(asking);
    if (this.admitted.kind === 'insufficient') {
      throw this.insufficient(this.admitted.shortfall, price.addresses, reading.funds);
    }
    return this.admitted.prefix;
  }

  /**
   * @param shortfall credits that are missing, at least 1
   * @param addresses of the whole call that would have been billed
   * @param funds as they were found
   */
  insufficient(shortfall: number, addresses: number, funds: Funds): AppError {
    const left = freeVerifiesLeft(funds, this.caller.plan.freeVerifiesPerMonth);
    const whole = Math.max(addresses, this.whole?.addresses ?? 0);
    const message = [
      `The balance is too low by ${shortfall}.`,
      // Free verifies that are left pay for a call only if they pay for all of it.
      ...(whole > 1 ? [`${left} free verifies are left this month, and this call needs ${whole}.`] : []),
    ];
    return new AppError('insufficient_credits', message.join(' '), {
      headers: { 'X-Credits-Required': String(shortfall) },
    });
  }
}
