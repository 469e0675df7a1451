import type { Address } from '../../engine/address/address.js';

/** Depth of a deferred probe. */
export type ProbeMode = 'standard' | 'enhanced';
/** Probes of singles run before those of batches. */
export type Urgency = 'single' | 'batch';

/** A probe that a call requests from the worker. */
export interface WantedProbe {
  /** 64 lowercase hex characters. */
  readonly hash: string;
  readonly address: Address;
  readonly mode: ProbeMode;
  readonly urgency: Urgency;
  /** The account that requests it. */
  readonly accountId?: string | undefined;
  /**
   * When the latest check known to the caller ran; null: none. A later check answers the probe: it may have been
   * recorded during the call.
   */
  readonly newerThan: Date | null;
}

/** The pending probe of an address, or one that failed a moment ago. */
export interface PendingState {
  /** UUID that charges wait on. */
  readonly id: string;
  readonly hash: string;
  /**
   * `due`: queued or running; `greylisted`: the first attempt was deferred, and a retry is left; `failed`: ended
   * without a verdict in the last minute (decisions 4.1).
   */
  readonly kind: 'due' | 'greylisted' | 'failed';
  /** The egress that the retry of a greylisted address must use (decisions 6.5). */
  readonly egress: string | null;
  /** Milliseconds until its next attempt may begin; 0: it may have begun. */
  readonly dueInMs: number;
}
