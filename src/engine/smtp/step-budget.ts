import type { SmtpStage } from './reply.js';

/** Longest duration of each step, milliseconds. */
export interface StepLimits {
  readonly connectTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly commandTimeoutMs: number;
}

/** The step limit of this stage, milliseconds. */
export function stepLimitMs(limits: StepLimits, stage: SmtpStage): number {
  if (stage === 'connect') return limits.connectTimeoutMs;
  return stage === 'greeting' ? limits.greetingTimeoutMs : limits.commandTimeoutMs;
}

/** Share of the time left for a step while other mail hosts wait. */
const SHARE_WHILE_OTHERS_WAIT = 0.75;

/**
 * Milliseconds for the next step: its own limit, cut by the time left of the check. While other hosts wait, a quarter
 * of the time left is reserved for them: after a silent best host a single call (8 s) has 2 s for a healthy second one,
 * and a worker's probe (60 s) still lets the best host greet as late as 40 s.
 */
export function stepBudgetMs(ownLimitMs: number, remainingMs: number, othersWait: boolean): number {
  return Math.min(ownLimitMs, othersWait ? remainingMs * SHARE_WHILE_OTHERS_WAIT : remainingMs);
}
