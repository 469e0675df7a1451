import type { Rate } from './limits.js';

/** The state of one group and egress when a permit is requested. Times in milliseconds of one clock. */
export interface Occupancy {
  /** End of each connection's lease. */
  readonly leases: readonly number[];
  /** The time at which an even pace would have asked about all recipients so far (generic cell rate algorithm). */
  readonly paceMs: number;
  /** End of the back-off of the provider and of the domain. */
  readonly pausedUntilMs: number;
}

export interface PermitCheck {
  readonly recipients: number;
  /** Infinity: no connection is needed. */
  readonly maxConnections: number;
  readonly rate: Rate;
}

export type PermitDecision =
  /** `paceMs`: the new pace. */
  | { readonly kind: 'granted'; readonly paceMs: number }
  | { readonly kind: 'backed_off' }
  /** `rate`: wait at least `waitMs`; `connections`: wait at most `waitMs`, when the first lease expires. */
  | { readonly kind: 'wait'; readonly for: 'rate' | 'connections'; readonly waitMs: number };

/**
 * Decides whether a connection may be opened now. Grants more recipients than a burst when no request is ahead, and
 * counts all of them against later requests. `throttle-scripts.ts` has the same rule in Lua; a test compares the two.
 */
export function decidePermit(
  { leases, paceMs, pausedUntilMs }: Occupancy,
  { recipients, maxConnections, rate }: PermitCheck,
  nowMs: number,
): PermitDecision {
  if (pausedUntilMs > nowMs) return { kind: 'backed_off' };
  const startMs = Math.max(paceMs, nowMs);
  const costMs = recipients * rate.intervalMs;
  const early = startMs + Math.min(costMs, rate.burstMs) - rate.burstMs - nowMs;
  if (early > 0) return { kind: 'wait', for: 'rate', waitMs: early };
  const alive = leases.filter((endMs) => endMs > nowMs);
  if (alive.length < maxConnections) return { kind: 'granted', paceMs: startMs + costMs };
  return { kind: 'wait', for: 'connections', waitMs: Math.min(...alive) - nowMs };
}
