/** Counts of addresses after a chunk run. */
export interface RunResult {
  /** With an outcome, or greylisted. */
  readonly settled: number;
  /** Left open because of our own limits for their mail hosts. */
  readonly busy: number;
  /** Milliseconds until these limits allow more, if known. */
  readonly freeInMs: number | null;
  /**
   * Left open because their mail hosts refused us and are paused. If all open addresses are, other addresses of the
   * chunk do not wait for them.
   */
  readonly backedOff: number;
  /** Left open because of our own failure, or lack of time. */
  readonly failed: number;
  /** All open addresses, including those that no wave has reached. */
  readonly left: number;
  /** True at shutdown. */
  readonly stopped: boolean;
}

export type NextTurn =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'again';
      readonly why: 'stopped' | 'busy' | 'left_alone' | 'failed' | 'long';
      readonly afterMs: number;
      /** Runs in a row that achieved nothing because of our own failure. */
      readonly failures: number;
    }
  /** The chunk failed too often. */
  | { readonly kind: 'given_up' };

/**
 * The limits admit about ten seconds' worth of recipients at once. A chunk that retries after this delay loses nothing
 * of the pace, and one that retries when the limits allow more loses no time at its end either.
 */
const BUSY_MS = 5000;
const BUSY_JITTER_MS = 5000;
const BUSY_AT_LEAST_MS = 1000;
/** A pause lasts one minute at first and one hour at most. A chunk that runs during a pause waits another minute. */
export const BACKED_OFF_MS = 60_000;
const BACKED_OFF_JITTER_MS = 10_000;
/** Delays after the first, second, … run in a row that achieved nothing. After the last delay the chunk is given up. */
const FAILED_MS = [2000, 10_000, 30_000, 60_000] as const;

/** Decides when the chunk runs again. @param random between 0 and 1 */
export function nextTurn(
  { settled, busy, freeInMs, backedOff, failed, left, stopped }: RunResult,
  failuresBefore: number,
  random: number,
): NextTurn {
  if (left === 0) return { kind: 'done' };
  if (stopped) return { kind: 'again', why: 'stopped', afterMs: 0, failures: failuresBefore };
  const failures = settled > 0 ? 0 : failuresBefore;
  if (busy > 0) return { kind: 'again', why: 'busy', afterMs: busyMs(freeInMs, random), failures };
  if (backedOff > 0) {
    return { kind: 'again', why: 'left_alone', afterMs: BACKED_OFF_MS + random * BACKED_OFF_JITTER_MS, failures };
  }
  if (failed === 0) return { kind: 'again', why: 'long', afterMs: 0, failures };
  const afterMs = FAILED_MS[failures];
  if (afterMs === undefined) return { kind: 'given_up' };
  return { kind: 'again', why: 'failed', afterMs, failures: settled > 0 ? 0 : failures + 1 };
}

function busyMs(freeInMs: number | null, random: number): number {
  if (freeInMs === null) return BUSY_MS + random * BUSY_JITTER_MS;
  return Math.min(BUSY_MS + BUSY_JITTER_MS, Math.max(BUSY_AT_LEAST_MS, freeInMs));
}
