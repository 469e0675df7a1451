import type { EntityManager } from 'typeorm';
import { idFromBytes } from '../../platform/ids/uuid.js';
import type { Payment } from '../funds.js';
import { refundReferences } from '../references.js';
import { toPayment, type PaymentRow } from './balance-rows.repository.js';
import type { StandingCharge } from './refund-parts.js';

interface ChargeRow extends PaymentRow {
  reference: string;
  account_id: Buffer;
  key_id: Buffer | null;
}

/** The charges among these references, without what was given back of them. */
export async function findCharges(
  transaction: EntityManager,
  references: readonly string[],
): Promise<Omit<StandingCharge, 'refunds'>[]> {
  const rows = await transaction.query<ChargeRow[]>(
    `SELECT reference, account_id, key_id, -purchased AS purchased, -gifted AS gifted, -free_verifies AS free_verifies, month
      FROM ledger_entries WHERE reference IN (?) AND kind = 'charge'`,
    [references],
  );
  return rows.map((row) => ({
    accountId: idFromBytes(row.account_id),
    keyId: row.key_id === null ? null : idFromBytes(row.key_id),
    reference: row.reference,
    payment: toPayment(row),
  }));
}

/**
 * What was given back of charges, by their references and then by its own. A locking read: the transaction's own view may
 * be older than the locks of the balances. Those locks are held, so that what is skipped is never one of these rows, only
 * the one behind them: another account's charge under way, which is not to be waited for.
 */
export async function findRefunds(
  transaction: EntityManager,
  references: readonly string[],
): Promise<Map<string, Map<string, Payment>>> {
  const ranges = references.map((reference) => refundReferences({ reference }));
  const rows = await transaction.query<(PaymentRow & { reference: string })[]>(
    `SELECT reference, purchased, gifted, free_verifies, month FROM ledger_entries FORCE INDEX (ledger_entries_reference)
      WHERE ${ranges.map(() => '(reference > ? AND reference < ?)').join(' OR ')} FOR UPDATE SKIP LOCKED`,
    ranges.flatMap(({ above, below }) => [above, below]),
  );
  const found = new Map<string, Map<string, Payment>>();
  for (const row of rows) {
    const charge = row.reference.slice(0, row.reference.lastIndexOf(':'));
    const refunds = found.get(charge) ?? new Map<string, Payment>();
    found.set(charge, refunds.set(row.reference, toPayment(row)));
  }
  return found;
}
