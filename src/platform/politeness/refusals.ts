import type { SessionsOutcome } from '../../engine/smtp/politeness.js';

/**
 * Refusals of us: one record for a whole provider (a group of mail hosts) and one for each domain at it. Times in
 * milliseconds.
 */
export interface Refusals {
  /** Consecutive refusals. */
  readonly strikes: number;
  /** End of the pause. */
  readonly untilMs: number;
  /** The record expires at this time. */
  readonly forgetAtMs: number;
}

export interface ProviderRefusals {
  readonly provider: Refusals;
  readonly domain: Refusals;
}

export const NO_REFUSALS: Refusals = { strikes: 0, untilMs: 0, forgetAtMs: 0 };

export const BACK_OFF = {
  /** Refusals in answer to a recipient before the domain is paused: one may be a rule of that mailbox. */
  domainStrikes: 3,
  /** Domains refused before the whole provider is paused: one may be a rule of that domain. */
  providerStrikes: 3,
  firstPauseMs: 60_000,
  longestPauseMs: 3_600_000,
  /** How long after its last pause a refusal counts. */
  memoryMs: 3_600_000,
} as const;

/** The parts of `BACK_OFF` that a deployment may change. */
export interface BackOffOptions {
  /** Infinity: the provider is never paused as a whole. */
  readonly providerStrikes: number;
  readonly firstPauseMs: number;
}

export function recall(refusals: Refusals | undefined, nowMs: number): Refusals {
  return refusals !== undefined && refusals.forgetAtMs > nowMs ? refusals : NO_REFUSALS;
}

/**
 * The back-off of decisions 6.6. A domain is paused at once when the session itself was refused (before a recipient, or
 * by a 421) or the host asked for a delay, and after `domainStrikes` refusals in answer to recipients. The provider is
 * paused with all its domains after refusals for `providerStrikes` different domains in a row, so one domain's rule
 * never stops a shared provider. Pauses double from the first one to `longestPauseMs`, and last at least as long as the
 * host asked for, within that limit. An answered recipient ends the row. The outcome of a session that began before a
 * pause neither extends nor ends it. `throttle-scripts.ts` has the same rule in Lua; a test compares the two.
 */
export function afterOutcome(
  { provider, domain }: ProviderRefusals,
  { kind, retryAfterSeconds }: SessionsOutcome,
  { providerStrikes, firstPauseMs }: BackOffOptions,
  nowMs: number,
): ProviderRefusals {
  if (kind === 'no_answer') return { provider, domain };
  if (kind === 'served') return { provider: forgiven(provider, nowMs), domain: forgiven(domain, nowMs) };
  const askedMs = Math.ceil((retryAfterSeconds ?? 0) * 1000);
  const atOnce = kind === 'session_refused' || askedMs > 0;
  const strike = (refusals: Refusals, enough: number, now: boolean): Refusals =>
    struck(refusals, { enough, atOnce: now, pauseMs: firstPauseMs, askedMs }, nowMs);
  return {
    provider: domain.strikes > 0 ? provider : strike(provider, providerStrikes, false),
    domain: strike(domain, BACK_OFF.domainStrikes, atOnce),
  };
}

function forgiven(refusals: Refusals, nowMs: number): Refusals {
  return refusals.untilMs > nowMs ? refusals : NO_REFUSALS;
}

interface Strike {
  readonly enough: number;
  readonly atOnce: boolean;
  readonly pauseMs: number;
  readonly askedMs: number;
}

function struck(refusals: Refusals, { enough, atOnce, pauseMs, askedMs }: Strike, nowMs: number): Refusals {
  if (refusals.untilMs > nowMs) return refusals;
  const strikes = atOnce ? Math.max(refusals.strikes + 1, enough) : refusals.strikes + 1;
  if (strikes < enough) return { strikes, untilMs: 0, forgetAtMs: nowMs + BACK_OFF.memoryMs };
  const grownMs = pauseMs * 2 ** (strikes - enough);
  const untilMs = nowMs + Math.min(BACK_OFF.longestPauseMs, Math.max(grownMs, askedMs));
  return { strikes, untilMs, forgetAtMs: untilMs + BACK_OFF.memoryMs };
}
