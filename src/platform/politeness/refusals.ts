import type { SessionsOutcome } from '../../engine/smtp/politeness.js';

/**
 * What is remembered of refusals of us, once for a whole provider (a group of mail hosts) and once for each domain at it.
 * Times in milliseconds.
 */
export interface Refusals {
  /** Refusals in a row, with nobody served between. */
  readonly strikes: number;
  /** Left alone until then. */
  readonly untilMs: number;
  /** From then on it is as if nothing had been. */
  readonly forgetAtMs: number;
}

export interface ProviderRefusals {
  readonly provider: Refusals;
  readonly domain: Refusals;
}

export const NO_REFUSALS: Refusals = { strikes: 0, untilMs: 0, forgetAtMs: 0 };

export const BACK_OFF = {
  /** Refusals in answer to a recipient before the domain is left alone: one may be a rule of that mailbox. */
  domainStrikes: 3,
  /** Domains refused before the whole provider is left alone: one may be a rule of that domain. */
  providerStrikes: 3,
  firstPauseMs: 60_000,
  longestPauseMs: 3_600_000,
  /** How long after its last pause a refusal counts. */
  memoryMs: 3_600_000,
} as const;

/** What a deployment may have otherwise than `BACK_OFF`. */
export interface BackOffOptions {
  /** Infinity: the provider as a whole is never left alone. */
  readonly providerStrikes: number;
  readonly firstPauseMs: number;
}

export function recall(refusals: Refusals | undefined, nowMs: number): Refusals {
  return refusals !== undefined && refusals.forgetAtMs > nowMs ? refusals : NO_REFUSALS;
}

/**
 * The back-off of decisions 6.6. A domain is left alone at once when the session itself was refused (before a recipient, or
 * by a 421) or a delay was asked for, and after `domainStrikes` refusals in answer to recipients. The provider is left alone
 * with all its domains once `providerStrikes` different ones were refused with nobody served between: so one domain's rule
 * never silences a shared provider. Pauses double from the first one to `longestPauseMs`, and last at least as long as the
 * host asked for within that. Being served ends the row. What comes back during a pause set out before it: it neither
 * prolongs nor ends it.
 *
 * `ledger-scripts.ts` has the same in Lua; a test holds the two together.
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
