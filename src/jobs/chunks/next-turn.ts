/** What a run of a chunk came to, in addresses. */
export interface RunResult {
  /** With an outcome, or greylisted. */
  readonly settled: number;
  /** Left for our own limits towards their mail hosts. */
  readonly busy: number;
  /** All of those left, where mail hosts are left alone that refused us; others of the chunk are not held up by them. */
  readonly leftAlone: number;
  /** Left for a failure on our side, or for want of time. */
  readonly failed: number;
  /** All that are left, those included whose turn has not come. */
  readonly left: number;
  /** The process stops. */
  readonly stopped: boolean;
}

export type NextTurn =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'again';
      readonly why: 'stopped' | 'busy' | 'left_alone' | 'failed' | 'long';
      readonly afterMs: number;
      /** Runs in a row that achieved nothing for a failure on our side. */
      readonly failures: number;
    }
  /** It was tried often enough. */
  | { readonly kind: 'given_up' };

/**
 * Limits let about ten seconds' worth of recipients through at once: who comes back after that long gets a full session's
 * worth, and loses nothing.
 */
const BUSY_MS = 5000;
const BUSY_JITTER_MS = 5000;
/** A pause lasts a minute at first, and up to an hour: who comes back during one waits for another minute. */
export const LEFT_ALONE_MS = 60_000;
const LEFT_ALONE_JITTER_MS = 10_000;
/** After the first run in a row that achieved nothing, after the second, …; after the last of these it is given up. */
const FAILED_MS = [2000, 10_000, 30_000, 60_000] as const;

/** When a chunk has its next turn. @param random between 0 and 1 */
export function nextTurn(
  { settled, busy, leftAlone, failed, left, stopped }: RunResult,
  failuresBefore: number,
  random: number,
): NextTurn {
  if (left === 0) return { kind: 'done' };
  if (stopped) return { kind: 'again', why: 'stopped', afterMs: 0, failures: failuresBefore };
  const failures = settled > 0 ? 0 : failuresBefore;
  if (busy > 0) return { kind: 'again', why: 'busy', afterMs: BUSY_MS + random * BUSY_JITTER_MS, failures };
  if (leftAlone > 0) {
    return { kind: 'again', why: 'left_alone', afterMs: LEFT_ALONE_MS + random * LEFT_ALONE_JITTER_MS, failures };
  }
  if (failed === 0) return { kind: 'again', why: 'long', afterMs: 0, failures };
  const afterMs = FAILED_MS[failures];
  if (afterMs === undefined) return { kind: 'given_up' };
  return { kind: 'again', why: 'failed', afterMs, failures: settled > 0 ? 0 : failures + 1 };
}
