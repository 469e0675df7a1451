import type { Caller } from '../../auth/caller.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { shownCredits, type Funds } from '../funds.js';
import { endOf } from '../month.js';
import type { Allowance, CreditsStatus } from './credits.response.js';

/**
 * The limits and funds of a key.
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
  // 0, never negative, after a downgrade.
  const allowance = (limit: number | null, used: number): Allowance => ({
    limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
    resets_at,
  });
  return {
    plan: plan.name,
    sandbox: mode === 'test',
    credits: shownCredits(funds),
    rate_limit: {
      limit: rateLimit?.limit ?? plan.requestsPerMinute,
      remaining: rateLimit?.remaining ?? null,
      reset: rateLimit?.resetAt ?? null,
    },
    free_verifies: allowance(plan.freeVerifiesPerMonth, funds.freeVerifiesUsed),
    guard: allowance(plan.guardDecisionsPerMonth, decisionsUsed),
  };
}
