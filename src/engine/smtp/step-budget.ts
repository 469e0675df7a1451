import type { SmtpStage } from './reply.js';

/** How long each step may take at most, milliseconds. */
export interface StepLimits {
  readonly connectTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly commandTimeoutMs: number;
}

/** The own limit of a step of this stage, milliseconds. */
export function stepLimitMs(limits: StepLimits, stage: SmtpStage): number {
  if (stage === 'connect') return limits.connectTimeoutMs;
  return stage === 'greeting' ? limits.greetingTimeoutMs : limits.commandTimeoutMs;
}

/** What a step may take of the time left while other mail hosts wait to be tried. */
const SHARE_WHILE_OTHERS_WAIT = 0.75;

/**
 * Milliseconds for the next step: its own limit, cut by what is left of the check. While other hosts wait, a quarter of
 * the time left is kept for them: a silent best host then leaves a single call (8 s) 2 s for a healthy second one, and a
 * worker's probe (60 s) still lets the best host greet as late as 40 s.
 */
export function stepBudgetMs(ownLimitMs: number, remainingMs: number, othersWait: boolean): number {
  return Math.min(ownLimitMs, othersWait ? remainingMs * SHARE_WHILE_OTHERS_WAIT : remainingMs);
}
