import type { Address } from '../../engine/address/address.js';

/** How deep a deferred probe goes. */
export type ProbeMode = 'standard' | 'enhanced';
/** A single's probe goes before a batch's. */
export type Urgency = 'single' | 'batch';

/** A probe that a call leaves to the worker. */
export interface WantedProbe {
  /** 64 lowercase hex characters. */
  readonly hash: string;
  readonly address: Address;
  readonly mode: ProbeMode;
  readonly urgency: Urgency;
  /** The account that asks. */
  readonly accountId?: string | undefined;
  /**
   * When the latest check ran that whoever asks knew of; null: none. A later one answers it: it may have been recorded while
   * the call was on its way.
   */
  readonly newerThan: Date | null;
}

/** What is under way for an address, or was until a moment ago. */
export interface PendingState {
  /** UUID: charges wait on it. */
  readonly id: string;
  readonly hash: string;
  /**
   * `due`: waits for its turn or runs; `greylisted`: its first probe was deferred, and it is asked once more;
   * `failed`: ended without a verdict in the last minute (decisions 4.1).
   */
  readonly kind: 'due' | 'greylisted' | 'failed';
  /** The way out that a greylisted address has to be asked by again (decisions 6.5). */
  readonly egress: string | null;
}
