import type { SmtpStage } from '../../engine/smtp/reply.js';

/** How deep a check goes that is flown: without a probe there is nothing to share. */
export type FlightDepth = 'standard' | 'enhanced';

/** What comes of asking to check an address (decisions 6.9). */
export type Flight =
  | Lead
  /** A check at least as deep ended with a stored result while we waited: it is in the cache. */
  | { readonly kind: 'landed' }
  /** The deadline passed first. */
  | { readonly kind: 'late' };

/** The caller holds the address and runs the check. */
export interface Lead {
  readonly kind: 'lead';
  /**
   * True: a result may have been stored since the caller last read the cache (another holder ended a moment ago, or how it
   * ended is not known). The cache is read once more before a probe.
   */
  readonly recheck: boolean;
  /** Tells how far the check has come: those who can't wait for its end ask for that (`Flights.stageOf`). */
  readonly reach: (stage: SmtpStage) => void;
  /**
   * Ends the check; only the first call counts. Others of this process are told at once, other processes when Redis has
   * been. Never rejects.
   * @param stored true: the result stands in the cache now; false: there is none to share
   */
  land(stored: boolean): Promise<void>;
}

const RANKS: Readonly<Record<FlightDepth, number>> = { standard: 1, enhanced: 2 };

/** 1 or more, deeper is higher; 0 is left for "none". */
export function rankOf(depth: FlightDepth): number {
  return RANKS[depth];
}

/** The depth of a rank; null for any other number. */
export function depthOfRank(rank: number): FlightDepth | null {
  if (rank === RANKS.standard) return 'standard';
  return rank === RANKS.enhanced ? 'enhanced' : null;
}

/** Whether a result of one depth answers who asked for another. */
export function answers(landed: FlightDepth, wanted: FlightDepth): boolean {
  return RANKS[landed] >= RANKS[wanted];
}
