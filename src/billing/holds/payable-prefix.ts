import { fitsAllowance } from '../funds.js';
import { priceOf, type Price } from '../price.js';

/** What there is to pay with. */
export interface Means {
  readonly credits: number;
  /** Left of the month's. */
  readonly freeVerifies: number;
}

/** The beginning of a call. */
export interface Prefix {
  readonly entries: number;
  readonly price: Price;
}

export function canPay({ credits, freeVerifies }: Means, price: Omit<Price, 'unitPrice'>): boolean {
  return fitsAllowance(price, freeVerifies) || price.credits <= credits;
}

/**
 * The longest beginning of a call that can be paid (decisions 4.3, 4.4): the whole call by the allowance, or as much of it as the
 * credits reach for; a call that the allowance is too small for leaves it whole. Entries that cost nothing belong to it up to the
 * first one that cannot be paid.
 * @param unitPrices credits of each entry, 0 for one that is free
 * @returns null when not even the first entry that costs something can be paid
 */
export function payablePrefix(unitPrices: readonly number[], means: Means): Prefix | null {
  const whole = priceOf(unitPrices);
  if (canPay(means, whole)) return { entries: unitPrices.length, price: whole };
  let credits = 0;
  const unpayable = unitPrices.findIndex((unit) => {
    credits += unit;
    return unit > 0 && credits > means.credits;
  });
  const price = priceOf(unitPrices.slice(0, unpayable));
  return price.addresses === 0 ? null : { entries: unpayable, price: { ...price, ofCall: whole.addresses } };
}
