import type { Mode } from '../engine/verdict/result.js';

/** Credits per address (decisions 4.2). A mode of price 0 uses no free verifies either. */
const CREDITS_PER_ADDRESS: Record<Mode, number> = { quick: 0, standard: 1, enhanced: 3 };
/** Enhanced, where a catch-all was known before: there is nothing to find out beyond the standard depth. */
const CREDITS_FOR_KNOWN_CATCH_ALL = 1;

export interface PricedAddress {
  /** False when it breaks the rules of syntax: that is free everywhere. */
  readonly isAddress: boolean;
  readonly mode: Mode;
  /** Row 7 or 8 of decisions 5.1 held when the call arrived, whichever row decided in the end. */
  readonly knownCatchAll: boolean;
}

/** What a call costs. */
export interface Price {
  /** Addresses that are billed: each takes one free verify where the allowance pays, whatever its mode. */
  readonly addresses: number;
  /** Credits where the allowance does not pay. */
  readonly credits: number;
  /** Credits per billed address; null where they differ. */
  readonly unitPrice: number | null;
  /**
   * Where this is the price of the beginning of a call: addresses of the whole call that would have been billed. The allowance pays
   * for all of a call or for nothing of it.
   */
  readonly ofCall?: number;
}

export const FREE: Price = { addresses: 0, credits: 0, unitPrice: null };

/** Credits for one address. */
export function unitPrice({ isAddress, mode, knownCatchAll }: PricedAddress): number {
  if (!isAddress) return 0;
  return Math.min(CREDITS_PER_ADDRESS[mode], knownCatchAll ? CREDITS_FOR_KNOWN_CATCH_ALL : Number.POSITIVE_INFINITY);
}

/** The price of a call for one address. @param credits what it costs, 0 for one that is free */
export function priceOfOne(credits: number): Price {
  return credits > 0 ? { addresses: 1, credits, unitPrice: credits } : FREE;
}

/** The price of a call from the price of each of its addresses; repeats are billed like the first. */
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
