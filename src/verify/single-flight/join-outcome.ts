import type { SmtpStage } from '../../engine/smtp/reply.js';

/** The depth of a shared check. A check without a probe has nothing to share. */
export type CheckDepth = 'standard' | 'enhanced';

/** The outcome of joining the single-flight of an address (decisions 6.9). */
export type JoinOutcome =
  | Leader
  /** Another caller's check, at least as deep, ended: its result is in the cache. */
  | { readonly kind: 'completed' }
  /** The deadline of this caller passed first. */
  | { readonly kind: 'timed_out' };

/** The caller leads: it holds the lease of the address and runs the check. */
export interface Leader {
  readonly kind: 'leader';
  /**
   * True: read the cache again before a probe. Another leader ended a moment ago, or its end is unknown, so its result
   * may be there.
   */
  readonly recheck: boolean;
  /** Reports how far the check has come, for waiters that time out first (`SingleFlight.stageOf`). */
  readonly reach: (stage: SmtpStage) => void;
  /**
   * Ends the check and wakes the waiters of all processes. Only the first call counts. Never rejects.
   * @param stored whether the result is in the cache now
   */
  complete(stored: boolean): Promise<void>;
}

const RANKS: Readonly<Record<CheckDepth, number>> = { standard: 1, enhanced: 2 };

/** 1 or more, deeper is higher; 0 means "none". */
export function rankOf(depth: CheckDepth): number {
  return RANKS[depth];
}

/** The depth of a rank; null for any other number. */
export function depthOfRank(rank: number): CheckDepth | null {
  if (rank === RANKS.standard) return 'standard';
  return rank === RANKS.enhanced ? 'enhanced' : null;
}

/** Whether a check of one depth answers a caller who wants another. */
export function answers(completed: CheckDepth, wanted: CheckDepth): boolean {
  return RANKS[completed] >= RANKS[wanted];
}
