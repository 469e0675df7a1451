import type { Month } from './month.js';
import type { Price } from './price.js';

/** The funds of an account, from its balance row. */
export interface Funds {
  readonly purchased: number;
  readonly gifted: number;
  /** The month that `freeVerifiesUsed` counts. */
  readonly month: Month;
  readonly freeVerifiesUsed: number;
}

/** A payment and its source: either credits or free verifies, never both. */
export interface Payment {
  readonly purchased: number;
  readonly gifted: number;
  readonly freeVerifies: number;
  /** The month whose allowance it counts against. */
  readonly month: Month;
}

export type Settlement =
  | { readonly kind: 'paid'; readonly payment: Payment; readonly funds: Funds }
  | { readonly kind: 'insufficient'; readonly shortfall: number; readonly funds: Funds };

export const NO_FUNDS: Funds = { purchased: 0, gifted: 0, month: 0, freeVerifiesUsed: 0 };

export function creditsOf({ purchased, gifted }: Pick<Funds, 'purchased' | 'gifted'>): number {
  return purchased + gifted;
}

/** The credits as they are shown. */
export function shownCredits({ purchased, gifted }: Pick<Funds, 'purchased' | 'gifted'>) {
  return { total: purchased + gifted, purchased, gifted };
}

/**
 * Free verifies left in the month of the funds; 0, never negative, after a downgrade.
 * @param perMonth of the plan; null: unlimited
 * @returns Infinity if unlimited
 */
export function freeVerifiesLeft({ freeVerifiesUsed }: Funds, perMonth: number | null): number {
  return perMonth === null ? Infinity : Math.max(0, perMonth - freeVerifiesUsed);
}

/** Whether the allowance pays for a call. @param left free verifies left this month */
export function fitsAllowance({ addresses, ofCall = addresses }: Omit<Price, 'unitPrice'>, left: number): boolean {
  return ofCall <= left;
}

/** The same funds in a later month, with a new count. The month never goes back. */
export function inMonth(funds: Funds, month: Month): Funds {
  return month > funds.month ? { ...funds, month, freeVerifiesUsed: 0 } : funds;
}

/** Net payment of a charge and its refunds, in the charge's month. */
export function added(a: Payment, b: Payment): Payment {
  return {
    purchased: a.purchased + b.purchased,
    gifted: a.gifted + b.gifted,
    freeVerifies: a.freeVerifies + b.freeVerifies,
    month: a.month,
  };
}

/**
 * Pays for a call (decisions 4.3): by the allowance if it covers all addresses, else in credits, gifted before
 * purchased. A shortened call that the allowance did not cover as a whole is also paid in credits.
 * @param funds in the current month
 * @param perMonth free verifies of the account's plan; null: unlimited
 */
export function pay(funds: Funds, price: Price, perMonth: number | null): Settlement {
  const { purchased, gifted, month, freeVerifiesUsed } = funds;
  if (fitsAllowance(price, freeVerifiesLeft(funds, perMonth))) {
    return {
      kind: 'paid',
      payment: { purchased: 0, gifted: 0, freeVerifies: price.addresses, month },
      funds: { ...funds, freeVerifiesUsed: freeVerifiesUsed + price.addresses },
    };
  }
  const shortfall = price.credits - creditsOf(funds);
  if (shortfall > 0) return { kind: 'insufficient', shortfall, funds };
  const fromGifted = Math.min(gifted, price.credits);
  const fromPurchased = price.credits - fromGifted;
  return {
    kind: 'paid',
    payment: { purchased: fromPurchased, gifted: fromGifted, freeVerifies: 0, month },
    funds: { ...funds, purchased: purchased - fromPurchased, gifted: gifted - fromGifted },
  };
}

/**
 * The refund for some addresses of a payment (decisions 4.7): free verifies go back to their month one for one; credits
 * go back to their bucket, last spent first.
 * @param refunded earlier refunds of the payment
 * @param part the addresses to refund and their credits
 * @throws RangeError if refunds would exceed the payment
 */
export function refundOf(payment: Payment, refunded: Omit<Payment, 'month'>, part: Omit<Price, 'unitPrice'>): Payment {
  const { month } = payment;
  if (payment.freeVerifies > 0) {
    if (refunded.freeVerifies + part.addresses > payment.freeVerifies) throw tooMuch();
    return { purchased: 0, gifted: 0, freeVerifies: part.addresses, month };
  }
  const purchased = Math.min(part.credits, payment.purchased - refunded.purchased);
  const gifted = part.credits - purchased;
  if (refunded.gifted + gifted > payment.gifted) throw tooMuch();
  return { purchased, gifted, freeVerifies: 0, month };
}

/** The funds after a refund. Free verifies of a past month do not add to the current one. */
export function withRefund(funds: Funds, refund: Payment): Funds {
  return {
    ...funds,
    purchased: funds.purchased + refund.purchased,
    gifted: funds.gifted + refund.gifted,
    freeVerifiesUsed: funds.freeVerifiesUsed - (refund.month === funds.month ? refund.freeVerifies : 0),
  };
}

function tooMuch(): RangeError {
  return new RangeError('the refund exceeds the payment');
}
