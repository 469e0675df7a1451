import type { Pace } from '../../engine/smtp/politeness.js';
import type { MailProvider } from '../../engine/smtp/provider.js';
import { USUAL } from '../../engine/smtp/providers/provider-row.js';

/** Limits of one group of mail hosts from one egress, shared by all processes. */
export interface Limits {
  /** Concurrent connections. */
  readonly maxConnections: number;
  /** Even rate, after a burst of up to ten seconds' worth. */
  readonly recipientsPerMinute: number;
}

/** For hosts outside the provider table. */
export const USUAL_LIMITS: Limits = {
  maxConnections: USUAL.maxConnections,
  recipientsPerMinute: USUAL.recipientsPerMinute,
};

/** For the same hosts in a laboratory, which need no protection. */
export const LABORATORY_LIMITS: Limits = { maxConnections: 20, recipientsPerMinute: 60_000 };

/** The provider table's limits, or `others` for a host outside it. */
export function limitsOf(provider: MailProvider | null, others: Limits): Limits {
  return provider ?? others;
}

/** A rate for the generic cell rate algorithm, in whole milliseconds so that Lua and JavaScript agree. */
export interface Rate {
  /** Time between two recipients. */
  readonly intervalMs: number;
  /** How far a burst may run ahead of the even pace: its recipients times the interval. */
  readonly burstMs: number;
}

/** Never exceeds the given rate: the interval is rounded up. The smallest burst fits an enhanced check. */
export function rateOf(recipientsPerMinute: number): Rate {
  const intervalMs = Math.ceil(60_000 / recipientsPerMinute);
  return { intervalMs, burstMs: Math.max(2, Math.ceil(recipientsPerMinute / 6)) * intervalMs };
}

/** Recipients that may be asked about at once after a pause. */
export function burstOf({ intervalMs, burstMs }: Rate): number {
  return burstMs / intervalMs;
}

/** What the pace allows of a request that has to wait for `waitMs`. */
export function paceFor(recipients: number, { intervalMs, burstMs }: Rate, waitMs: number): Pace {
  const free = Math.floor((Math.min(recipients * intervalMs, burstMs) - waitMs) / intervalMs);
  return { recipients: Math.max(0, free), waitMs };
}
