import { priceOf, type Price } from './price.js';

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
  return price.addresses <= freeVerifies || price.credits <= credits;
}

/**
 * The longest beginning of a call that can be paid, by the allowance or in credits (decisions 4.4). Entries that cost
 * nothing belong to it up to the first one that cannot be paid.
 * @param unitPrices credits of each entry, 0 for one that is free
 * @returns null when not even the first entry that costs something can be paid
 */
export function payablePrefix(unitPrices: readonly number[], means: Means): Prefix | null {
  let addresses = 0;
  let credits = 0;
  const unpayable = unitPrices.findIndex((unit) => {
    if (unit === 0) return false;
    addresses++;
    credits += unit;
    return !canPay(means, { addresses, credits });
  });
  if (unpayable === -1) return { entries: unitPrices.length, price: priceOf(unitPrices) };
  const price = priceOf(unitPrices.slice(0, unpayable));
  return price.addresses === 0 ? null : { entries: unpayable, price };
}
