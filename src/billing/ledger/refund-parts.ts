import { added, refundOf, type Payment } from '../funds.js';
import { partReference, undoReference } from '../references.js';
import type { NewEntry } from './balance-rows.repository.js';

/** One address to refund. */
export interface RefundPart {
  /**
   * Identifies the part in the charge, such as a position, without colons: the refund's reference is `<charge>:<part>`.
   */
  readonly part: string;
  /** Price of the address, even if the allowance paid. */
  readonly credits: number;
  /** Refund credits only, for an address that was overcharged: nothing if the allowance paid. */
  readonly staysPaid?: true;
}

/** A committed charge and its refunds so far. */
export interface StandingCharge {
  readonly accountId: string;
  readonly keyId: string | null;
  readonly reference: string;
  readonly payment: Payment;
  readonly refunds: ReadonlyMap<string, Payment>;
}

/**
 * Builds the ledger rows that refund parts of a charge. Skips parts already refunded and charges refunded in full.
 * @throws RangeError if refunds would exceed the payment
 */
export function refundParts(charge: StandingCharge, parts: readonly RefundPart[]): NewEntry[] {
  const { accountId, keyId, payment, refunds } = charge;
  if (refunds.has(undoReference(charge))) return [];
  const entries: NewEntry[] = [];
  let refunded = [...refunds.values()].reduce(added, { purchased: 0, gifted: 0, freeVerifies: 0, month: 0 });
  for (const { part, credits, staysPaid } of parts) {
    const reference = partReference(charge, part);
    if (refunds.has(reference)) continue;
    if (staysPaid && payment.freeVerifies > 0) continue;
    const addresses = staysPaid ? 0 : 1;
    const back = refundOf(payment, refunded, { addresses, credits });
    const price = { addresses, unitPrice: credits };
    entries.push({ accountId, kind: 'refund', reference, keyId, price, payment: back });
    refunded = added(refunded, back);
  }
  return entries;
}
