import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { creditsOf, freeVerifiesLeft, pay, type Funds } from '../funds.js';
import { priceOf, type Price } from '../price.js';
import type { CreditHolds, HoldOutcome } from './credit-holds.js';
import type { Prefix } from './payable-prefix.js';
import { fundsOf } from './request-funds.js';

/** What one call holds of its account's funds before it does any work. */
export class CreditHold {
  /** The account's funds after the call's charge; null: it was not charged. */
  fundsAfterCharge: Funds | null = null;
  /** Of the whole call, where the hold is for a beginning of it. */
  private wholePrice: Price | null = null;
  /** Credits of the entries that the hold is not for. */
  private creditsNotHeld = 0;
  private outcome: HoldOutcome | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly caller: Caller,
    private readonly holds: Pick<CreditHolds, 'acquire'>,
  ) {}

  /** True when the account could pay so much, as last read, if no other call were under way. */
  async canPay(price: Price): Promise<boolean> {
    const { mode, plan } = this.caller;
    if (mode === 'test') return true;
    const { funds } = await fundsOf(this.request);
    return pay(funds, price, plan.freeVerifiesPerMonth).kind === 'paid';
  }

  /**
   * Holds so much; the call may have to wait for others of its account.
   * @param maxWaitMs then it is refused
   * @throws AppError `insufficient_credits`, or `service_unavailable` when the balance is not known
   */
  async reserve(price: Price, maxWaitMs: number): Promise<void> {
    if (this.costs(price)) await this.acquire(price, null, maxWaitMs);
  }

  /**
   * Holds as much as the account can pay of a call of which a beginning will do (decisions 4.4).
   * @param unitPrices what each entry will cost at most, 0 for one that is free
   * @param maxWaitMs then it gets what there is, or is refused
   * @returns how many entries from the start may be worked on
   * @throws AppError `insufficient_credits` when not even the first entry that costs something can be paid, or
   *   `service_unavailable`
   */
  async reservePrefix(unitPrices: readonly number[], maxWaitMs: number): Promise<number> {
    const price = priceOf(unitPrices);
    if (!this.costs(price)) return unitPrices.length;
    const prefix = await this.acquire(price, unitPrices, maxWaitMs);
    this.creditsNotHeld = price.credits - prefix.price.credits;
    this.wholePrice = prefix.price.ofCall === undefined ? null : price;
    return prefix.entries;
  }

  /** True when the caller's connection is gone. One that the caller has closed for sending only is not. */
  callerIsGone(): boolean {
    return this.request.raw.socket.destroyed;
  }

  release(): void {
    if (this.outcome?.kind === 'held') this.outcome.release(this.fundsAfterCharge);
  }

  /** The price of an answer, as a part of its call. @param offered price of the answer that was to be given */
  priceWithinCall(offered: Price, price: Price): Price {
    const ofCall = Math.max(offered.addresses, this.wholePrice?.addresses ?? 0);
    return ofCall > price.addresses ? { ...price, ofCall } : price;
  }

  /** Credits that are missing for the whole call, with the entries that the hold is not for. */
  shortfall({ credits }: Price, funds: Funds): number {
    return Math.max(1, credits + this.creditsNotHeld - creditsOf(funds));
  }

  /**
   * @param shortfall credits that are missing, at least 1
   * @param addresses of the whole call that would have been billed
   * @param funds as they were found
   */
  insufficientCredits(shortfall: number, addresses: number, funds: Funds): AppError {
    const left = freeVerifiesLeft(funds, this.caller.plan.freeVerifiesPerMonth);
    const whole = Math.max(addresses, this.wholePrice?.addresses ?? 0);
    const message = [
      `The balance is too low by ${shortfall}.`,
      // Free verifies that are left pay for a call only if they pay for all of it.
      ...(whole > 1 ? [`${left} free verifies are left this month, and this call needs ${whole}.`] : []),
    ];
    return new AppError('insufficient_credits', message.join(' '), {
      headers: { 'X-Credits-Required': String(shortfall) },
    });
  }

  /** A sandbox key holds nothing, nor does a call that is free. */
  private costs({ addresses }: Price): boolean {
    return this.caller.mode !== 'test' && addresses > 0;
  }

  /** @returns the part of the call that the hold is for */
  private async acquire(price: Price, unitPrices: readonly number[] | null, maxWaitMs: number): Promise<Prefix> {
    const { accountId, plan } = this.caller;
    const reading = await fundsOf(this.request);
    const { freeVerifiesPerMonth } = plan;
    // A call that asks again gives up what it held: it would wait for itself.
    this.release();
    const request = { accountId, price, unitPrices, freeVerifiesPerMonth, reading, maxWaitMs };
    this.outcome = await this.holds.acquire(request);
    if (this.outcome.kind === 'insufficient') {
      throw this.insufficientCredits(this.outcome.shortfall, price.addresses, reading.funds);
    }
    return this.outcome.prefix;
  }
}
