import { fitsAllowance } from '../funds.js';
import { priceOf, type Price } from '../price.js';

/** Funds to pay with. */
export interface Means {
  readonly credits: number;
  /** Free verifies left this month. */
  readonly freeVerifies: number;
}

/** The first entries of a call. */
export interface Prefix {
  readonly entries: number;
  readonly price: Price;
}

export function canPay({ credits, freeVerifies }: Means, price: Omit<Price, 'unitPrice'>): boolean {
  return fitsAllowance(price, freeVerifies) || price.credits <= credits;
}

/**
 * The longest prefix of a call that can be paid (decisions 4.3, 4.4): the whole call by the allowance, else as much as
 * the credits cover; a call that exceeds the allowance uses none of it. Free entries are included up to the first one
 * that cannot be paid.
 * @param unitPrices credits of each entry, 0 if free
 * @returns null if not even the first paid entry is covered
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
