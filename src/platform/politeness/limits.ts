import type { MailProvider } from '../../engine/smtp/provider.js';
import { USUAL } from '../../engine/smtp/providers/provider-row.js';

/** What one group of mail hosts is asked for from one egress, by all processes together. */
export interface Limits {
  /** At once. */
  readonly maxConnections: number;
  /** Evenly, after up to ten seconds' worth at once. */
  readonly recipientsPerMinute: number;
}

/** For hosts that are not in the provider table. */
export const USUAL_LIMITS: Limits = {
  maxConnections: USUAL.maxConnections,
  recipientsPerMinute: USUAL.recipientsPerMinute,
};

/** For the same hosts in a laboratory, where nobody is to be spared. */
export const LABORATORY_LIMITS: Limits = { maxConnections: 20, recipientsPerMinute: 60_000 };

/** Limits of the table where the provider stands in it, else those of everybody else. */
export function limitsOf(provider: MailProvider | null, others: Limits): Limits {
  return provider ?? others;
}

/** A rate as the generic cell rate algorithm takes it: all whole milliseconds, so that Lua and JavaScript agree. */
export interface Rate {
  /** Between two recipients. */
  readonly intervalMs: number;
  /** How far ahead of the even pace one may be: the recipients that may be asked about at once, in intervals. */
  readonly burstMs: number;
}

/** Never above the rate asked for: the interval is rounded up. The least burst lets an enhanced check through. */
export function rateOf(recipientsPerMinute: number): Rate {
  const intervalMs = Math.ceil(60_000 / recipientsPerMinute);
  return { intervalMs, burstMs: Math.max(2, Math.ceil(recipientsPerMinute / 6)) * intervalMs };
}
