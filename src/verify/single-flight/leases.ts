import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { CheckDepth } from './join-outcome.js';

/** Times are milliseconds of the book's clock. */
export interface LeaseState {
  readonly at: number;
  /** When the lease that was seen ends unless it is renewed; in the past: there was none. */
  readonly until: number;
}

export interface AcquireRequest {
  /** Address hash. */
  readonly hash: string;
  /** Names who asks. A token that holds the lease already gets it again: the answer to an earlier request was lost. */
  readonly token: string;
  /** The look before this one of who waits; null: nobody was waited for yet. */
  readonly last: LeaseState | null;
}

export interface AcquireAnswer extends LeaseState {
  /** True: the lease is held now, under this token. */
  readonly taken: boolean;
  /** The depth of the deepest completed check with a stored result since the last poll; without a last poll, of the last seconds. */
  readonly completed: CheckDepth | null;
}

/** A holder that ends. */
export interface CheckCompletion {
  readonly hash: string;
  readonly token: string;
  readonly depth: CheckDepth;
  readonly stored: boolean;
}

/** The book of who checks which address. Its promises may reject where it is kept elsewhere. */
export interface Leases {
  /**
   * Takes a lease that is free. One who waited does not take a lease that is gone before its time with nobody landed: the
   * book was emptied, and a holder that lives will be back in it.
   */
  acquire(request: AcquireRequest): Promise<AcquireAnswer>;
  /**
   * Prolongs the lease, or takes it (again) when nobody holds it, and notes how far its holder has come; leaves another's
   * alone.
   */
  renew(hash: string, token: string, stage: SmtpStage | null): Promise<void>;
  /** How far the holder had come when it last renewed; null: it had asked nobody, or there is none. */
  stageOf(hash: string): Promise<SmtpStage | null>;
  /**
   * Frees the lease if it is still this token's, remembers a stored result either way, and tells whoever waits. Answers the
   * look that those who waited for this holder go on from.
   */
  complete(completion: CheckCompletion): Promise<LeaseState>;
}
