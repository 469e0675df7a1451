import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { CheckDepth } from './join-outcome.js';

/** Times are milliseconds of the clock of the lease store. */
export interface LeaseState {
  readonly at: number;
  /** When the lease ends unless it is renewed; in the past: there was none. */
  readonly until: number;
}

export interface AcquireRequest {
  /** Address hash. */
  readonly hash: string;
  /** Identifies the caller. A token that already holds the lease gets it again, in case the first answer was lost. */
  readonly token: string;
  /** The previous poll of the waiters; null: this is the first. */
  readonly last: LeaseState | null;
}

export interface AcquireAnswer extends LeaseState {
  /** True: this token now holds the lease. */
  readonly taken: boolean;
  /**
   * The depth of the deepest completed check with a stored result since the last poll; on the first poll, of the last
   * seconds.
   */
  readonly completed: CheckDepth | null;
}

/** The end of a leader's check. */
export interface CheckCompletion {
  readonly hash: string;
  readonly token: string;
  readonly depth: CheckDepth;
  readonly stored: boolean;
}

/** The lease store: who checks which address. Its promises may reject if it is remote. */
export interface Leases {
  /**
   * Takes a free lease. A waiter does not take a lease that vanished before its expiry without a completion: the store
   * was emptied, and a live holder will renew its lease there.
   */
  acquire(request: AcquireRequest): Promise<AcquireAnswer>;
  /**
   * Prolongs the lease, or takes it (again) if it is free, and stores the stage of its check. Leaves another holder's
   * lease alone.
   */
  renew(hash: string, token: string, stage: SmtpStage | null): Promise<void>;
  /**
   * The stage that the holder had reached at its last renewal; null: it had asked no mail host, or there is no holder.
   */
  stageOf(hash: string): Promise<SmtpStage | null>;
  /**
   * Frees the lease if this token still holds it, remembers a stored result either way, and notifies the waiters.
   * Answers the state that this holder's waiters poll from next.
   */
  complete(completion: CheckCompletion): Promise<LeaseState>;
}
