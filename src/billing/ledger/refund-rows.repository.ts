import type { EntityManager } from 'typeorm';
import { idFromBytes } from '../../platform/ids/uuid.js';
import type { Payment } from '../funds.js';
import { refundReferences } from '../references.js';
import { toPayment, type PaymentRow } from './balance-rows.repository.js';
import type { StandingCharge } from './refund-parts.js';
import { joined, statement } from '../../platform/database/statement.js';

interface ChargeRow extends PaymentRow {
  reference: string;
  account_id: Buffer;
  key_id: Buffer | null;
}

/** The charges among these references, before refunds. */
export async function findCharges(
  transaction: EntityManager,
  references: readonly string[],
): Promise<Omit<StandingCharge, 'refunds'>[]> {
  const rows = await transaction.sql<ChargeRow[]>`
    SELECT reference, account_id, key_id, -purchased AS purchased, -gifted AS gifted, -free_verifies AS free_verifies,
      month FROM ledger_entries WHERE reference IN (${references}) AND kind = 'charge'`;
  return rows.map((row) => ({
    accountId: idFromBytes(row.account_id),
    keyId: row.key_id === null ? null : idFromBytes(row.key_id),
    reference: row.reference,
    payment: toPayment(row),
  }));
}

/**
 * Refunds by the reference of their charge, then by their own. A locking read, since the transaction's snapshot may be
 * older than the balance locks. SKIP LOCKED is safe: the balance locks exclude uncommitted refunds of these charges, so
 * it only skips the next row in the index, a running charge of another account.
 */
export async function findRefunds(
  transaction: EntityManager,
  references: readonly string[],
): Promise<Map<string, Map<string, Payment>>> {
  const ranges = references.map((reference) => {
    const { above, below } = refundReferences({ reference });
    return statement`(reference > ${above} AND reference < ${below})`;
  });
  const rows = await statement`
    SELECT reference, purchased, gifted, free_verifies, month FROM ledger_entries FORCE INDEX (ledger_entries_reference)
      WHERE ${joined(ranges, ' OR ')} FOR UPDATE SKIP LOCKED`.run<(PaymentRow & { reference: string })[]>(transaction);
  const found = new Map<string, Map<string, Payment>>();
  for (const row of rows) {
    const charge = row.reference.slice(0, row.reference.lastIndexOf(':'));
    const refunds = found.get(charge) ?? new Map<string, Payment>();
    found.set(charge, refunds.set(row.reference, toPayment(row)));
  }
  return found;
}
