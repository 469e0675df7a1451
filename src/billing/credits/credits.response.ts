import type { Caller } from '../../auth/caller.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { creditsOf, type Funds } from '../funds.js';
import { endOf } from '../month.js';

/** An allowance of the month. Both figures are null where it is unlimited. */
interface Allowance {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** When the next month begins: UTC, ISO 8601. */
  readonly resets_at: string;
}

/** The credits status object (decisions 4.7). */
export interface CreditsStatus {
  readonly plan: string;
  readonly sandbox: boolean;
  readonly credits: { readonly total: number; readonly purchased: number; readonly gifted: number };
  /** As the `X-RateLimit-*` headers of the same answer; `reset` is a unix second. Null where it is not known. */
  readonly rate_limit: {
    readonly limit: number;
    readonly remaining: number | null;
    readonly reset: number | null;
  };
  readonly free_verifies: Allowance;
  readonly guard: Allowance;
}

/**
 * What a key may ask for and pay with.
 * @param funds in the current month
 * @param decisionsUsed remote decisions of the same month
 */
export function toCreditsStatus(
  { mode, plan }: Caller,
  funds: Funds,
  decisionsUsed: number,
  rateLimit: RequestContext['rateLimit'],
): CreditsStatus {
  const resets_at = endOf(funds.month).toISOString();
  // A plan that was made smaller leaves none, not fewer than none.
  const allowance = (limit: number | null, used: number): Allowance => ({
    limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
    resets_at,
  });
  return {
    plan: plan.name,
    sandbox: mode === 'test',
    credits: { total: creditsOf(funds), purchased: funds.purchased, gifted: funds.gifted },
    rate_limit: {
      limit: rateLimit?.limit ?? plan.requestsPerMinute,
      remaining: rateLimit?.remaining ?? null,
      reset: rateLimit?.resetAt ?? null,
    },
    free_verifies: allowance(plan.freeVerifiesPerMonth, funds.freeVerifiesUsed),
    guard: allowance(plan.guardDecisionsPerMonth, decisionsUsed),
  };
}
