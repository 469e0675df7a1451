import { idToBytes } from '../../platform/ids/uuid.js';
import type { Funds, Payment } from '../funds.js';
import type { Price } from '../price.js';
import type { LedgerKind } from './ledger-kind.js';
import { sharedChanges } from './shared-changes.js';
import { sqlValue, statement, type Statement } from '../../platform/database/statement.js';

export const BALANCE_COLUMNS = 'account_id, purchased, gifted, month, free_verifies_used';

/** BIGINT values arrive as numbers on one kind of connection and as text on the other. */
export interface BalanceRow {
  account_id: Buffer;
  purchased: number | string;
  gifted: number | string;
  month: number;
  free_verifies_used: number;
}

export interface PaymentRow {
  purchased: number | string;
  gifted: number | string;
  free_verifies: number;
  month: number;
}

/** A ledger row to write; its kind determines the sign of the payment. */
export interface NewEntry {
  readonly accountId: string;
  readonly kind: LedgerKind;
  readonly reference: string;
  readonly keyId: string | null;
  readonly price: Omit<Price, 'credits'>;
  readonly payment: Payment;
}

export function toFunds(row: BalanceRow): Funds {
  return {
    purchased: Number(row.purchased),
    gifted: Number(row.gifted),
    month: row.month,
    freeVerifiesUsed: row.free_verifies_used,
  };
}

export function toPayment(row: PaymentRow): Payment {
  return {
    purchased: Number(row.purchased),
    gifted: Number(row.gifted),
    freeVerifies: row.free_verifies,
    month: row.month,
  };
}

/** Inserts the balance row of an account that has none, so that there is a row to lock. */
export function addMissingBalance(accountId: string): Statement {
  return statement`INSERT INTO account_balances (${() => BALANCE_COLUMNS})
    SELECT id, 0, 0, 0, 0 FROM accounts WHERE id = ${idToBytes(accountId)}
    ON DUPLICATE KEY UPDATE account_id = account_balances.account_id`;
}

/** Requires a transaction that has locked the row. */
export function updateBalance(accountId: string, funds: Funds): Statement {
  const { purchased, gifted, month, freeVerifiesUsed } = funds;
  return statement`UPDATE account_balances SET purchased = ${purchased}, gifted = ${gifted}, month = ${month},
    free_verifies_used = ${freeVerifiesUsed} WHERE account_id = ${idToBytes(accountId)}`;
}

/**
 * Applies the same change to all these balances. Requires at least one account, and a transaction that has locked their
 * rows. Without the index hint, MySQL scans a small table and locks every row.
 */
export function changeBalances(
  accountIds: readonly string[],
  { purchased, gifted, freeVerifiesUsed }: Omit<Funds, 'month'>,
): Statement {
  return statement`UPDATE account_balances FORCE INDEX (PRIMARY) SET ${changed('purchased', purchased)},
    ${changed('gifted', gifted)}, ${changed('free_verifies_used', freeVerifiesUsed)}
    WHERE account_id IN (${accountIds.map(idToBytes)})`;
}

/** The columns are unsigned; a change never subtracts more than the balance holds. */
function changed(column: string, change: number): Statement {
  return statement`${() => `${column} = ${column}`} + ${Math.max(0, change)} - ${Math.max(0, -change)}`;
}

/**
 * Writes changed balances, one statement per distinct change. Requires a transaction that has locked the rows.
 * @param before funds of the accounts when they were locked
 */
export function writeBalances(before: ReadonlyMap<string, Funds>, after: ReadonlyMap<string, Funds>): Statement[] {
  const { shared, own } = sharedChanges(before, after);
  return [
    ...shared.map(({ accountIds, ...change }) => changeBalances(accountIds, change)),
    ...own.map(([accountId, funds]) => updateBalance(accountId, funds)),
  ];
}

/** Requires a transaction that has locked the balances of all these accounts. At least one entry. */
export function insertEntries(entries: readonly NewEntry[], now: string): Statement {
  const createdAt = sqlValue(now);
  const rows = entries.map(({ accountId, kind, reference, keyId, price, payment }) => {
    const sign = kind === 'charge' ? -1 : 1;
    return [
      idToBytes(accountId),
      kind,
      reference,
      keyId === null ? null : idToBytes(keyId),
      price.addresses,
      price.unitPrice,
      sign * payment.purchased,
      sign * payment.gifted,
      sign * payment.freeVerifies,
      payment.month,
      createdAt,
    ];
  });
  return statement`INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased,
    gifted, free_verifies, month, created_at) VALUES ${rows}`;
}
