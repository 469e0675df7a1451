import type { Mode } from '../engine/verdict/result.js';

/** Credits per address (decisions 4.2). A mode of price 0 uses no free verifies either. */
const CREDITS_PER_ADDRESS: Record<Mode, number> = { quick: 0, standard: 1, enhanced: 3 };
/** Price of enhanced mode for an already known catch-all: there is nothing to find beyond the standard depth. */
const CREDITS_FOR_KNOWN_CATCH_ALL = 1;

export interface PricedAddress {
  readonly mode: Mode;
  /** Row 7 or 8 of decisions 5.1 held when the call arrived, whichever row decides in the end. */
  readonly knownCatchAll: boolean;
}

/** Whether these credits for an address buy more than the standard depth. */
export function paysForEnhanced(credits: number): boolean {
  return credits > CREDITS_PER_ADDRESS.standard;
}

/** The price of a call. */
export interface Price {
  /** Billed addresses: each takes one free verify if the allowance pays, in any mode. */
  readonly addresses: number;
  /** Credits if the allowance does not pay. */
  readonly credits: number;
  /** Credits per billed address; null if they differ. */
  readonly unitPrice: number | null;
  /**
   * For the price of a shortened call: billed addresses of the whole call. The allowance pays for a whole call or not
   * at all.
   */
  readonly ofCall?: number;
}

export const FREE: Price = { addresses: 0, credits: 0, unitPrice: null };

/** Credits for one address. A text that is none is free. */
export function unitPrice({ mode, knownCatchAll }: PricedAddress): number {
  return Math.min(CREDITS_PER_ADDRESS[mode], knownCatchAll ? CREDITS_FOR_KNOWN_CATCH_ALL : Number.POSITIVE_INFINITY);
}

/** The price of a call for one address. @param credits its price, 0 if free */
export function priceOfOne(credits: number): Price {
  return credits > 0 ? { addresses: 1, credits, unitPrice: credits } : FREE;
}

/** The price of a call from the prices of its addresses; repeats are billed like the first. */
export function priceOf(unitPrices: readonly number[]): Price {
  const billed = unitPrices.filter((credits) => credits > 0);
  const [first] = billed;
  if (first === undefined) return FREE;
  return {
    addresses: billed.length,
    credits: billed.reduce((sum, credits) => sum + credits, 0),
    unitPrice: billed.every((credits) => credits === first) ? first : null,
  };
}
