import type { Rate } from './limits.js';

/** What is known of one group and egress when leave is asked for. Times in milliseconds of one clock. */
export interface Occupancy {
  /** When each connection's lease ends. */
  readonly leases: readonly number[];
  /** When the recipients so far would have been asked about at the even pace (generic cell rate algorithm). */
  readonly paceMs: number;
  /** Until when the provider, and the domain at it, are left alone. */
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
  /** `rate`: not before `waitMs` from now; `connections`: at the latest then, when the first lease ends by itself. */
  | { readonly kind: 'wait'; readonly for: 'rate' | 'connections'; readonly waitMs: number };

/**
 * Whether a connection may be opened now. More recipients than a burst are let in once nobody is ahead, and all of them
 * count for those who come after. `ledger-scripts.ts` has the same in Lua; a test holds the two together.
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
