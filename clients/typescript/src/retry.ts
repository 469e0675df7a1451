import { ConnectionError, MailvetError } from './errors.js';

/** What a second try of a call would do. */
export type Repeatable =
  /** Nothing more than the first: it only reads, or has an Idempotency-Key. */
  | 'yes'
  /** Its work again, if the first was done and only its answer was lost. */
  | 'if-refused';

export interface RetryLimits {
  /** Tries after the first. */
  readonly retries: number;
  /** A service that asks for a longer wait is not waited for. */
  readonly maxWaitMs: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
/** A proxy in between gave up: nobody knows how far the call came. */
const LOST_ON_THE_WAY = new Set([408, 502, 504]);

/**
 * How long to wait before the next try of a call; null: the error is final.
 * @param tries made so far
 * @param random from 0 to 1, so that clients that were refused together do not come back together
 */
export function waitBeforeRetry(
  error: unknown,
  { tries, repeatable, limits, random }: { tries: number; repeatable: Repeatable; limits: RetryLimits; random: number },
): number | null {
  if (tries > limits.retries || !mayTryAgain(error, repeatable)) return null;
  const asked = error instanceof MailvetError ? error.retryAfterMs : null;
  if (asked !== null) return asked > limits.maxWaitMs ? null : asked + random * Math.max(250, asked / 4);
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  return longest * (0.5 + random / 2);
}

function mayTryAgain(error: unknown, repeatable: Repeatable): boolean {
  if (error instanceof ConnectionError) return repeatable === 'yes';
  if (!(error instanceof MailvetError)) return false;
  if (LOST_ON_THE_WAY.has(error.status)) return repeatable === 'yes';
  // The first try of this very call may still be running, or a limit of the plan end soon: then the service says when.
  if (error.code === 'idempotency_conflict' || error.code === 'quota_exceeded') return error.retryAfterMs !== null;
  return error.status === 429 || error.status === 503;
}
