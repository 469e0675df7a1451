import type { Funds, Payment } from '../funds.js';
import type { Lease, StoredAnswer } from '../idempotency/idempotency.repository.js';
import type { ChargeWithin } from '../ledger/ledger.repository.js';
import type { WaitingPart } from '../pending-charges/waiting-part.js';

/**
 * The answer of a call with an `Idempotency-Key`, stored in the charge's transaction. If the lease is lost, it is not stored
 * and the call not charged.
 */
export type KeptAnswer = Lease & StoredAnswer;

/** One call to charge. */
export interface Charge extends ChargeWithin {
  readonly answer: KeptAnswer | null;
  /** Parts that wait on deferred probes, recorded in the charge's transaction, whether the allowance or credits pay. */
  readonly waiting?: readonly WaitingPart[];
}

export type ChargeOutcome =
  /** `funds`: the account's funds after the charge. */
  | { readonly kind: 'charged'; readonly payment: Payment; readonly funds: Funds }
  /** Nothing was charged. `shortfall`: credits missing. */
  | { readonly kind: 'insufficient'; readonly shortfall: number; readonly funds: Funds }
  /** Nothing was charged: another call with the same key has taken the lease. */
  | { readonly kind: 'superseded' }
  /** Nothing was charged: the client disconnected first. */
  | { readonly kind: 'withdrawn' };

/** One attempt to commit a charge. */
export interface ChargeAttempt {
  readonly charge: Charge;
  /** An earlier try may have committed: look for its ledger row first, under the account's lock. */
  readonly mayStand: boolean;
  /**
   * `charge`; `withdraw`: only check whether an earlier try committed; `undo`: the caller was told that the charge
   * failed, so refund it if it committed, unless its answer is kept for repeats.
   */
  readonly intent: 'charge' | 'withdraw' | 'undo';
}

/** `held`: another transaction has locked the account, or it has no balance row yet; nothing was written. */
export type AttemptOutcome = ChargeOutcome | { readonly kind: 'held' };

/** Why a charge failed that is certainly not committed. */
export class NotCharged extends Error {
  override readonly name = 'NotCharged';
}
