import type { Funds, Payment } from '../funds.js';
import type { Price } from '../price.js';
import type { WaitingPart } from '../pending-charges/waiting-part.js';

/** The answer of a call with an `Idempotency-Key`, to be kept in the transaction of its charge. */
export interface KeptAnswer {
  /** Row of `idempotency_records`. */
  readonly recordId: number;
  /** 16 octets: the lease under which the call runs. Without it neither is the answer kept nor the call charged. */
  readonly lease: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: Buffer;
}

/** One call to be paid. */
export interface Charge {
  readonly accountId: string;
  readonly keyId: string;
  /** Unique for ever: at most one charge is made under it. */
  readonly reference: string;
  /** Of at least one address. */
  readonly price: Price;
  /** Of the account's plan; null: unlimited. */
  readonly freeVerifiesPerMonth: number | null;
  readonly answer: KeptAnswer | null;
  /** What of it waits on deferred probes: noted in the charge's own transaction, whatever pays for it. */
  readonly waiting?: readonly WaitingPart[];
}

export type ChargeOutcome =
  /** `funds`: what is left after it. */
  | { readonly kind: 'charged'; readonly payment: Payment; readonly funds: Funds }
  /** Nothing was charged. `shortfall`: credits that are missing. */
  | { readonly kind: 'insufficient'; readonly shortfall: number; readonly funds: Funds }
  /** Nothing was charged: the call's lease has passed to another call with the same key. */
  | { readonly kind: 'superseded' }
  /** Nothing was charged: the client was gone before. */
  | { readonly kind: 'withdrawn' };

/** A charge on its way into the database, and what is known of earlier tries. */
export interface ChargeAttempt {
  readonly charge: Charge;
  /** An earlier try may have been committed: its ledger row is looked for first, under the account's lock. */
  readonly mayStand: boolean;
  /**
   * `charge`; `withdraw`: only find out whether an earlier try stands; `undo`: the caller was told that it failed, so what
   * stands of it is given back, unless its answer is kept to be fetched.
   */
  readonly intent: 'charge' | 'withdraw' | 'undo';
}

/** `held`: another transaction holds the account, or it has no balance row yet; nothing was done. */
export type AttemptOutcome = ChargeOutcome | { readonly kind: 'held' };

/** The connection was lost between a COMMIT and its answer: all of the group stands, or nothing of it. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';

  constructor(cause: unknown) {
    super('the outcome of a charge is not known', { cause });
  }
}
