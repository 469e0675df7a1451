import type { Price } from '../price.js';
import type { JsonResponse } from './metered-response.js';
import type { Transaction } from './stored-metered-response.repository.js';

/** What a metered handler returns whose result is rows: the interceptor stores them in the transaction that charges for them. */
export interface StoredMeteredResponse extends JsonResponse {
  /** Of the charge: unique for ever, and named after what is stored. */
  readonly reference: string;
  readonly price: Price;
  /** Writes what is paid for. It may be asked again, in another transaction, when the first one was rolled back. */
  readonly store: (transaction: Transaction) => Promise<void>;
  /**
   * Writes the rest of it, while no other response of the account is stored: what is counted here holds until it stands. It
   * should be quick. @throws AppError that the call is refused with: nothing stands
   */
  readonly storeHeld: (transaction: Transaction) => Promise<void>;
  /**
   * Whether it stands, by a read that no transaction under way can make false later: asked when the outcome of a COMMIT was
   * lost. It rejects while that cannot be told.
   */
  readonly stands: () => Promise<boolean>;
  /** Called once after it was stored, before the answer is sent. Must not throw. */
  readonly after?: () => void;
}
