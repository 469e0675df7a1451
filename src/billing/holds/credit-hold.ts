import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { creditsOf, freeVerifiesLeft, pay, type Funds, type Payment } from '../funds.js';
import { priceOf, type Price } from '../price.js';
import type { CreditHolds, HoldOutcome } from './credit-holds.js';
import type { Prefix } from './payable-prefix.js';
import { fundsOf, readFunds } from './request-funds.js';

/** Holds one call's credits and free verifies before the call does any work. */
export class CreditHold {
  /** The account's funds after the charge; null: not charged. */
  fundsAfterCharge: Funds | null = null;
  /** What the charge took; null: not charged. */
  payment: Payment | null = null;
  /** Billed addresses of the whole call, if the hold covers only a prefix. */
  private wholePrice: Price | null = null;
  /** Credits of the entries outside the hold. */
  private creditsNotHeld = 0;
  private outcome: HoldOutcome | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly caller: Caller,
    private readonly holds: Pick<CreditHolds, 'acquire'>,
  ) {}

  /** Reads the balance before it is asked for. */
  readAhead(): void {
    void readFunds(this.request);
  }

  /** Whether the account could pay this price, as last read, if no other call were running. */
  async canPay(price: Price): Promise<boolean> {
    const { mode, plan } = this.caller;
    if (mode === 'test') return true;
    const { funds } = await fundsOf(this.request);
    return pay(funds, price, plan.freeVerifiesPerMonth).kind === 'paid';
  }

  /**
   * Holds this price; may wait for other calls of the account.
   * @param maxWaitMs after that the call is refused
   * @throws AppError `insufficient_credits`, or `service_unavailable` if the balance is unknown
   */
  async reserve(price: Price, maxWaitMs: number): Promise<void> {
    if (this.costs(price)) await this.acquire(price, null, maxWaitMs);
  }

  /**
   * Holds as much as the account can pay of a call that accepts a prefix (decisions 4.4).
   * @param unitPrices maximum price of each entry, 0 if free
   * @param maxWaitMs after that the call gets what is available, or is refused
   * @returns how many entries from the start may be processed
   * @throws AppError `insufficient_credits` if not even the first paid entry is covered, or `service_unavailable`
   */
  async reservePrefix(unitPrices: readonly number[], maxWaitMs: number): Promise<number> {
    const price = priceOf(unitPrices);
    if (!this.costs(price)) return unitPrices.length;
    const prefix = await this.acquire(price, unitPrices, maxWaitMs);
    this.creditsNotHeld = price.credits - prefix.price.credits;
    this.wholePrice = prefix.price.ofCall === undefined ? null : price;
    return prefix.entries;
  }

  /** True if the client has disconnected. A half-closed connection (closed for sending only) does not count. */
  callerIsGone(): boolean {
    return this.request.raw.socket.destroyed;
  }

  release(): void {
    if (this.outcome?.kind === 'held') this.outcome.release(this.fundsAfterCharge);
  }

  /** The price of an answer, as a part of its call. @param offered price of the intended answer */
  priceWithinCall(offered: Price, price: Price): Price {
    const ofCall = Math.max(offered.addresses, this.wholePrice?.addresses ?? 0);
    return ofCall > price.addresses ? { ...price, ofCall } : price;
  }

  /** Credits missing for the whole call, including the entries outside the hold. */
  shortfall({ credits }: Price, funds: Funds): number {
    return Math.max(1, credits + this.creditsNotHeld - creditsOf(funds));
  }

  /**
   * @param shortfall credits missing, at least 1
   * @param addresses billed addresses of the whole call
   * @param funds as last read
   */
  insufficientCredits(shortfall: number, addresses: number, funds: Funds): AppError {
    const left = freeVerifiesLeft(funds, this.caller.plan.freeVerifiesPerMonth);
    const whole = Math.max(addresses, this.wholePrice?.addresses ?? 0);
    const message = [
      `The balance is too low by ${shortfall}.`,
      // Remaining free verifies pay for a call only if they cover all of it.
      ...(whole > 1 ? [`${left} free verifies are left this month, and this call needs ${whole}.`] : []),
    ];
    return new AppError('insufficient_credits', message.join(' '), {
      headers: { 'X-Credits-Required': String(shortfall) },
    });
  }

  /** Sandbox keys and free calls hold nothing. */
  private costs({ addresses }: Price): boolean {
    return this.caller.mode !== 'test' && addresses > 0;
  }

  /** @returns the part of the call that the hold covers */
  private async acquire(price: Price, unitPrices: readonly number[] | null, maxWaitMs: number): Promise<Prefix> {
    const { accountId, plan } = this.caller;
    const reading = await fundsOf(this.request);
    const { freeVerifiesPerMonth } = plan;
    // Release an earlier hold of the same call first: it would wait for itself.
    this.release();
    const request = { accountId, price, unitPrices, freeVerifiesPerMonth, reading, maxWaitMs };
    this.outcome = await this.holds.acquire(request);
    if (this.outcome.kind === 'insufficient') {
      throw this.insufficientCredits(this.outcome.shortfall, price.addresses, reading.funds);
    }
    return this.outcome.prefix;
  }
}
