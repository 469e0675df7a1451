import { Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { appendAudit } from '../../platform/audit/audit-log.repository.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import type { Statement } from '../../platform/database/packet-connection.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { CreditKind } from '../credit-kind.js';
import { inMonth, pay, withRefund, type Funds, type Settlement } from '../funds.js';
import type { Price } from '../price.js';
import {
  addMissingBalance,
  BALANCE_COLUMNS,
  DATABASE_NOW,
  insertEntries,
  toFunds,
  updateBalance,
  writeBalances,
  type BalanceRow,
  type NewEntry,
} from './balance-rows.repository.js';
import { LedgerMetrics } from './ledger-metrics.js';
import { findCharges, findRefunds } from './refund-rows.repository.js';
import { refundParts, type RefundPart, type StandingCharge } from './refund-parts.js';

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
  readonly freeVerifiesPerMonth: number | null;
}

/** What became of many refunds. */
export interface RefundsOutcome {
  /** Parts that were given back: without those that had been before. */
  readonly parts: number;
  /** References of charges whose account was not locked: nothing was done. */
  readonly notLocked: readonly string[];
  /** References of charges that are not there, or of which more would go back than was paid: nothing was done. */
  readonly impossible: readonly string[];
}

/** Moves money outside of the charge batcher. Whatever it does is done under the lock of the account's balance. */
@Injectable()
export class LedgerRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = DATABASE_NOW,
    @Optional() private readonly metrics?: LedgerMetrics,
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

  /** Holds an account until the transaction ends: nobody else moves its money, or holds it, meanwhile. */
  async holdWithin(transaction: EntityManager, accountId: string): Promise<void> {
    if ((await this.lock(transaction, accountId)) === null) throw new Error('an account is held that does not exist');
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
    const [charge] = await findCharges(transaction, [reference]);
    if (charge === undefined) throw new Error('there is no charge under the reference of a refund');
    const { accountId } = charge;
    const funds = await this.lock(transaction, accountId);
    if (funds === null) throw new Error('a charge names an account that does not exist');
    const refunds = await findRefunds(transaction, [reference]);
    const entries = refundParts({ ...charge, refunds: refunds.get(reference) ?? new Map() }, parts);
    const left = entries.reduce((sum, { payment }) => withRefund(sum, payment), funds);
    if (entries.length > 0) await this.write(transaction, accountId, left, entries);
    return left;
  }

  /**
   * Locks the balances of accounts that were charged, in the order of their ids: whoever wants several takes them at once,
   * here, and nobody waits in a circle.
   * @returns what their rows say, in the month of each row; an account that was never charged is left out
   */
  async lockAllWithin(transaction: EntityManager, accountIds: readonly string[]): Promise<Map<string, Funds>> {
    if (accountIds.length === 0) return new Map();
    const rows = await transaction.query<BalanceRow[]>(
      `SELECT ${BALANCE_COLUMNS} FROM account_balances FORCE INDEX (PRIMARY)
        WHERE account_id IN (?) ORDER BY account_id FOR UPDATE`,
      [accountIds.map(idToBytes)],
    );
    // Not in the month it is: `writeBalances` adds to what the rows hold, and a refund counts in the month it was paid in.
    return new Map(rows.map((row) => [idFromBytes(row.account_id), toFunds(row)]));
  }

  /**
   * Gives parts of many charges back, in a few statements. Parts that were given back before are left alone, and so are
   * charges that were given back as a whole.
   * @param locked what the accounts have whose balances this transaction holds; brought up to date
   * @param wanted parts by the reference of their charge: some hundred charges at most
   */
  async refundLockedWithin(
    transaction: EntityManager,
    locked: Map<string, Funds>,
    wanted: ReadonlyMap<string, readonly RefundPart[]>,
  ): Promise<RefundsOutcome> {
    const references = [...wanted.keys()];
    const charges = new Map((await findCharges(transaction, references)).map((each) => [each.reference, each]));
    const refunds = await findRefunds(transaction, references);
    const entries: NewEntry[] = [];
    const notLocked: string[] = [];
    const impossible: string[] = [];
    for (const [reference, parts] of wanted) {
      const charge = charges.get(reference);
      if (charge !== undefined && !locked.has(charge.accountId)) {
        notLocked.push(reference);
        continue;
      }
      const own = charge && tryRefund({ ...charge, refunds: refunds.get(reference) ?? new Map() }, parts);
      if (own) entries.push(...own);
      else impossible.push(reference);
    }
    const changed = new Map<string, Funds>();
    for (const { accountId, payment } of entries) {
      changed.set(accountId, withRefund(changed.get(accountId) ?? locked.get(accountId)!, payment));
    }
    if (entries.length > 0) {
      for (const statement of writeBalances(locked, changed)) await run(transaction, statement);
      await run(transaction, insertEntries(entries, this.now));
      this.metrics?.count(entries);
    }
    for (const [accountId, funds] of changed) locked.set(accountId, funds);
    return { parts: entries.length, notLocked, impossible };
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
    this.metrics?.count(entries);
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

function tryRefund(charge: StandingCharge, parts: readonly RefundPart[]): NewEntry[] | null {
  try {
    return refundParts(charge, parts);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function run(transaction: EntityManager, { sql, values }: Statement): Promise<unknown> {
  return transaction.query(sql, [...(values ?? [])]);
}
