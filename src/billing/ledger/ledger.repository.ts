import type { DataSource, EntityManager } from 'typeorm';
import { appendAudit } from '../../platform/audit/audit-log.repository.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import type { Statement } from '../../platform/database/packet-connection.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { CreditKind } from '../credit-kind.js';
import { inMonth, pay, refundOf, withRefund, type Funds, type Payment, type Settlement } from '../funds.js';
import type { Price } from '../price.js';
import {
  addMissingBalance,
  BALANCE_COLUMNS,
  DATABASE_NOW,
  insertEntries,
  toFunds,
  toPayment,
  updateBalance,
  type BalanceRow,
  type NewEntry,
  type PaymentRow,
} from './balance-rows.repository.js';

export interface Grant {
  readonly accountId: string;
  readonly credits: number;
  readonly kind: CreditKind;
  /** Unique for ever; the same grant under it again changes nothing. */
  readonly reference: string;
}

export type GrantOutcome =
  | { readonly kind: 'granted' | 'repeated'; readonly funds: Funds }
  /** The reference stands for another grant. */
  | { readonly kind: 'reference_used' }
  | { readonly kind: 'unknown_account' };

/** A charge made in the transaction of whoever stores what it pays for. */
export interface ChargeWithin {
  readonly accountId: string;
  readonly keyId: string;
  readonly reference: string;
  readonly price: Price;
  readonly freeVerifiesPerMonth: number;
}

/** One address given back. */
export interface RefundPart {
  /** What of the charge, such as a position: the refund's reference is the charge's, a colon, and this. */
  readonly part: string;
  /** What the address cost, also where the allowance paid. */
  readonly credits: number;
}

interface ChargeRow extends PaymentRow {
  account_id: Buffer;
  key_id: Buffer | null;
}

/** Moves money outside of the lane. Whatever it does is done under the lock of the account's balance. */
export class LedgerRepository {
  /** @param now SQL for the moment it is, UTC */
  constructor(
    private readonly dataSource: DataSource,
    private readonly now: string = DATABASE_NOW,
  ) {}

  /** Gives credits in a transaction of its own. */
  async grant(grant: Grant, actor: string): Promise<GrantOutcome> {
    try {
      return await this.dataSource.transaction('READ COMMITTED', (transaction) =>
        this.grantWithin(transaction, grant, actor),
      );
    } catch (error) {
      // Two of one account take turns: somebody else's was quicker.
      if (isDuplicateKey(error, 'ledger_entries_reference')) return { kind: 'reference_used' };
      throw error;
    }
  }

  async grantWithin(transaction: EntityManager, grant: Grant, actor: string): Promise<GrantOutcome> {
    const { accountId, credits, kind, reference } = grant;
    const funds = await this.lock(transaction, accountId);
    if (funds === null) return { kind: 'unknown_account' };
    const earlier = await findGrant(transaction, reference);
    if (earlier !== null) {
      const same = earlier.accountId === accountId && earlier[kind] === credits;
      return same ? { kind: 'repeated', funds } : { kind: 'reference_used' };
    }
    const left = { ...funds, [kind]: funds[kind] + credits };
    const payment = { purchased: 0, gifted: 0, freeVerifies: 0, month: funds.month, [kind]: credits };
    const price = { addresses: 0, unitPrice: null };
    await this.write(transaction, accountId, left, [
      { accountId, kind: 'grant', reference, keyId: null, price, payment },
    ]);
    const details = { credits, kind, reference };
    await appendAudit(transaction, { actor, action: 'credits.grant', accountId, subject: null, details });
    return { kind: 'granted', funds: left };
  }

  /** Charges in a transaction that stores what is paid for: neither stands without the other (decisions 4.1). */
  async chargeWithin(transaction: EntityManager, charge: ChargeWithin): Promise<Settlement> {
    const { accountId, keyId, reference, price, freeVerifiesPerMonth } = charge;
    const funds = await this.lock(transaction, accountId);
    if (funds === null) throw new Error('a charge names an account that does not exist');
    const settlement = pay(funds, price, freeVerifiesPerMonth);
    if (settlement.kind === 'insufficient' || price.addresses === 0) return settlement;
    const { payment } = settlement;
    await this.write(transaction, accountId, settlement.funds, [
      { accountId, kind: 'charge', reference, keyId, price, payment },
    ]);
    return settlement;
  }

  /**
   * Gives addresses of a charge back in a transaction that stores why. Parts that were given back before are left alone.
   * @returns the funds after it
   * @throws RangeError when more would go back than was paid
   */
  async refundWithin(transaction: EntityManager, reference: string, parts: readonly RefundPart[]): Promise<Funds> {
    const charge = await findCharge(transaction, reference);
    const accountId = idFromBytes(charge.account_id);
    const keyId = charge.key_id === null ? null : idFromBytes(charge.key_id);
    let funds = await this.lock(transaction, accountId);
    if (funds === null) throw new Error('a charge names an account that does not exist');
    const before = await refundsOf(transaction, reference);
    let refunded = before.sum;
    const entries: NewEntry[] = [];
    for (const { part, credits } of parts) {
      const own = `${reference}:${part}`;
      if (before.references.has(own)) continue;
      const payment = refundOf(negated(toPayment(charge)), refunded, { addresses: 1, credits });
      entries.push({
        accountId,
        kind: 'refund',
        reference: own,
        keyId,
        price: { addresses: 1, unitPrice: credits },
        payment,
      });
      refunded = added(refunded, payment);
      funds = withRefund(funds, payment);
    }
    if (entries.length > 0) await this.write(transaction, accountId, funds, entries);
    return funds;
  }

  /** Takes the lock that every movement of an account's money is made under. Null: no such account. */
  private async lock(transaction: EntityManager, accountId: string): Promise<Funds | null> {
    await run(transaction, addMissingBalance(accountId));
    const [row] = await transaction.query<(BalanceRow & { now_month: number | string })[]>(
      `SELECT ${BALANCE_COLUMNS}, EXTRACT(YEAR_MONTH FROM ${this.now}) AS now_month
        FROM account_balances WHERE account_id = ? FOR UPDATE`,
      [idToBytes(accountId)],
    );
    return row === undefined ? null : inMonth(toFunds(row), Number(row.now_month));
  }

  private async write(
    transaction: EntityManager,
    accountId: string,
    funds: Funds,
    entries: readonly NewEntry[],
  ): Promise<void> {
    await run(transaction, updateBalance(accountId, funds));
    await run(transaction, insertEntries(entries, this.now));
  }
}

async function findGrant(transaction: EntityManager, reference: string) {
  const [row] = await transaction.query<{ account_id: Buffer; purchased: string; gifted: string }[]>(
    'SELECT account_id, purchased, gifted FROM ledger_entries WHERE reference = ? FOR UPDATE',
    [reference],
  );
  if (row === undefined) return null;
  return { accountId: idFromBytes(row.account_id), purchased: Number(row.purchased), gifted: Number(row.gifted) };
}

async function findCharge(transaction: EntityManager, reference: string): Promise<ChargeRow> {
  const [row] = await transaction.query<ChargeRow[]>(
    `SELECT account_id, key_id, purchased, gifted, free_verifies, month FROM ledger_entries
      WHERE reference = ? AND kind = 'charge'`,
    [reference],
  );
  if (row === undefined) throw new Error('there is no charge under the reference of a refund');
  return row;
}

/** What was given back of a charge. A locking read: the transaction's own view may be older than the lock of the balance. */
async function refundsOf(transaction: EntityManager, reference: string) {
  const rows = await transaction.query<(PaymentRow & { reference: string })[]>(
    `SELECT reference, purchased, gifted, free_verifies, month FROM ledger_entries FORCE INDEX (ledger_entries_reference)
      WHERE reference > ? AND reference < ? FOR UPDATE`,
    [`${reference}:`, `${reference};`],
  );
  return {
    references: new Set(rows.map((row) => row.reference)),
    sum: rows.map(toPayment).reduce(added, { purchased: 0, gifted: 0, freeVerifies: 0, month: 0 }),
  };
}

function added(a: Payment, b: Payment): Payment {
  return {
    purchased: a.purchased + b.purchased,
    gifted: a.gifted + b.gifted,
    freeVerifies: a.freeVerifies + b.freeVerifies,
    month: a.month,
  };
}

/** A charge's row says what left the account. */
function negated({ purchased, gifted, freeVerifies, month }: Payment): Payment {
  return { purchased: -purchased, gifted: -gifted, freeVerifies: -freeVerifies, month };
}

function run(transaction: EntityManager, { sql, values }: Statement): Promise<unknown> {
  return transaction.query(sql, [...(values ?? [])]);
}
