import type { ListMode, Overview } from '../api/types';

/** Credits for an address. Enhanced costs less at a domain that is known to accept everybody. */
export const CREDITS_PER_ADDRESS: Readonly<Record<ListMode, number>> = { standard: 1, enhanced: 3 };

/** What an account can pay with. */
export interface Balance {
  readonly credits: Pick<Overview['credits'], 'total'>;
  readonly free_verifies: Pick<Overview['free_verifies'], 'limit' | 'remaining'>;
}

export interface ListPrice {
  /** Credits, at most. */
  readonly credits: number;
  readonly freeVerifies: number;
  /** Credits that the account lacks; 0: it can pay. */
  readonly missing: number;
}

/**
 * What a list costs. Each part is a call of its own: the free verifies of the month pay for a whole call, in any mode,
 * or for none of it.
 */
export function listPrice(billedByPart: readonly number[], mode: ListMode, balance: Balance): ListPrice {
  const { limit, remaining } = balance.free_verifies;
  let free = limit === null ? Number.POSITIVE_INFINITY : (remaining ?? 0);
  let credits = 0;
  let freeVerifies = 0;
  for (const addresses of billedByPart) {
    if (addresses <= free) {
      free -= addresses;
      freeVerifies += addresses;
    } else {
      credits += addresses * CREDITS_PER_ADDRESS[mode];
    }
  }
  return { credits, freeVerifies, missing: Math.max(0, credits - balance.credits.total) };
}
