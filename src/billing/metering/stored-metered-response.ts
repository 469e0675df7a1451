import type { Price } from '../price.js';
import type { JsonResponse } from './metered-response.js';
import type { Transaction } from './stored-metered-response.repository.js';

/**
 * A metered handler's result that consists of rows: the interceptor stores them in the transaction that charges for
 * them.
 */
export interface StoredMeteredResponse extends JsonResponse {
  /** Reference of the charge: globally unique, named after the stored rows. */
  readonly reference: string;
  readonly price: Price;
  /** Writes the rows. Called again in a new transaction after a rollback. */
  readonly store: (transaction: Transaction) => Promise<void>;
  /**
   * Writes the remaining rows while no other response of the account can be stored: counts read here stay true until
   * the commit. Must be quick.
   * @throws AppError to refuse the call: nothing is committed
   */
  readonly storeHeld: (transaction: Transaction) => Promise<void>;
  /**
   * Whether the rows are committed, by a read that no running transaction can make false later. Called if the reply to
   * COMMIT was lost. Rejects while the outcome is unknown.
   */
  readonly stands: () => Promise<boolean>;
  /** Called once after the commit, before the answer is sent. Must not throw. */
  readonly after?: () => void;
}
