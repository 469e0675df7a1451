import type { Month } from './month.js';
import type { Price } from './price.js';

/** What an account can pay with: its balance row. */
export interface Funds {
  readonly purchased: number;
  readonly gifted: number;
  /** The month of the count. */
  readonly month: Month;
  readonly freeVerifiesUsed: number;
}

/** What was paid, and from where. Either credits or free verifies, never both. */
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

/**
 * Free verifies left in the month of the funds. A plan that was made smaller leaves none, not fewer than none.
 * @param perMonth of the plan; null: unlimited
 * @returns Infinity where they are unlimited
 */
export function freeVerifiesLeft({ freeVerifiesUsed }: Funds, perMonth: number | null): number {
  return perMonth === null ? Infinity : Math.max(0, perMonth - freeVerifiesUsed);
}

/** Whether the allowance pays a call. @param left of the month's free verifies */
export function fitsAllowance({ addresses, ofCall = addresses }: Omit<Price, 'unitPrice'>, left: number): boolean {
  return ofCall <= left;
}

/** The same funds in a later month: a new count begins. A month that is over does not come back. */
export function inMonth(funds: Funds, month: Month): Funds {
  return month > funds.month ? { ...funds, month, freeVerifiesUsed: 0 } : funds;
}

/** Of one charge and its refunds: the month is that of the first. */
export function added(a: Payment, b: Payment): Payment {
  return {
    purchased: a.purchased + b.purchased,
    gifted: a.gifted + b.gifted,
    freeVerifies: a.freeVerifies + b.freeVerifies,
    month: a.month,
  };
}

/**
 * Pays a call (decisions 4.3): by the allowance if all its addresses fit in what is left of it, else in credits, gifted before
 * purchased. The beginning of a call that does not fit is paid in credits too.
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
 * What of a payment goes back for some of its addresses (decisions 4.7): free verifies one for one to the month they
 * came from; credits to the bucket they came from, the one that was spent last first.
 * @param refunded what went back of it before
 * @param part the addresses given back and their credits
 * @throws RangeError when more would go back than was paid
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

/** The funds after a refund. A free verify of a month that is over does not count in this one. */
export function withRefund(funds: Funds, refund: Payment): Funds {
  return {
    ...funds,
    purchased: funds.purchased + refund.purchased,
    gifted: funds.gifted + refund.gifted,
    freeVerifiesUsed: funds.freeVerifiesUsed - (refund.month === funds.month ? refund.freeVerifies : 0),
  };
}

function tooMuch(): RangeError {
  return new RangeError('more would be refunded than was paid');
}
