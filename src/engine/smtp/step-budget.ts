import type { SmtpStage } from './reply.js';

/** Longest duration of each step, milliseconds. */
export interface StepLimits {
  readonly connectTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly commandTimeoutMs: number;
}

/**
 * What a host that answers all commands of a write together may take for each. Sendmail sleeps a second before each recipient
 * after the first few unknown ones (`BadRcptThrottle`).
 */
const EACH_TOGETHER_MS = 1_000;

/**
 * The step limit of this stage, milliseconds.
 * @param unheard further commands of the same write, where none of it has been answered yet
 */
export function stepLimitMs(limits: StepLimits, stage: SmtpStage, unheard = 0): number {
  if (stage === 'connect') return limits.connectTimeoutMs;
  return stage === 'greeting' ? limits.greetingTimeoutMs : limits.commandTimeoutMs + unheard * EACH_TOGETHER_MS;
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
