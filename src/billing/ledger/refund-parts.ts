import { added, refundOf, type Payment } from '../funds.js';
import { partReference, undoReference } from '../references.js';
import type { NewEntry } from './balance-rows.repository.js';

/** One address given back. */
export interface RefundPart {
  /** What of the charge, such as a position, without a colon: the refund's reference is the charge's, a colon, and this. */
  readonly part: string;
  /** What the address cost, also where the allowance paid. */
  readonly credits: number;
  /** Only credits go back, of an address that was charged too much: nothing where the allowance paid. */
  readonly staysPaid?: true;
}

/** A charge that stands, and what was given back of it. */
export interface StandingCharge {
  readonly accountId: string;
  readonly keyId: string | null;
  readonly reference: string;
  readonly payment: Payment;
  readonly refunds: ReadonlyMap<string, Payment>;
}

/**
 * The ledger rows that give parts of a charge back: none for a part that was given back before, nor for a charge that was
 * given back as a whole.
 * @throws RangeError when more would go back than was paid
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
