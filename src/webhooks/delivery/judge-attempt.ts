import type { Attempt } from './delivery-sender.js';
import { nextAttemptMs, readRetryAfter } from './next-attempt.js';

export interface JudgedAttempt {
  /** `gone`: the receiver wants nothing more. */
  readonly outcome: 'delivered' | 'retried' | 'failed' | 'gone';
  /** Milliseconds until the next attempt, or how the delivery has ended. */
  readonly next: number | 'delivered' | 'failed';
  /** Whose failure it is. */
  readonly blames: 'endpoint' | 'service' | 'nobody';
}

const GONE = 410;

/** @param attempts made so far, with this one */
export function judgeAttempt(attempt: Attempt, attempts: number): JudgedAttempt {
  const answered = attempt.kind === 'answered';
  if (answered && attempt.status >= 200 && attempt.status < 300) {
    return { outcome: 'delivered', next: 'delivered', blames: 'nobody' };
  }
  if (answered && attempt.status === GONE) return { outcome: 'gone', next: 'failed', blames: 'endpoint' };
  const blames = !answered && attempt.ours ? 'service' : 'endpoint';
  const next = nextAttemptMs(attempts, answered ? readRetryAfter(attempt.retryAfter) : null);
  return next === null ? { outcome: 'failed', next: 'failed', blames } : { outcome: 'retried', next, blames };
}
