import { Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { CommitUnknown, retriedTransaction } from '../../platform/database/retried-transaction.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import type { WithNewAccount } from '../../auth/account.repository.js';
import type { CreditKind } from '../credit-kind.js';
import { grantReference } from '../grant-reference.js';
import { inMonth, pay, withRefund, type Funds, type Settlement } from '../funds.js';
import type { Price } from '../price.js';
import {
  addMissingBalance,
  BALANCE_COLUMNS,
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
  /** Globally unique; repeating the same grant under it changes nothing. */
  readonly reference: string;
}

export type GrantOutcome =
  | { readonly kind: 'granted' | 'repeated'; readonly funds: Funds }
  /** The reference belongs to a different grant. */
  | { readonly kind: 'reference_used' }
  | { readonly kind: 'unknown_account' };

/** A charge made in the transaction that stores what it pays for. */
export interface ChargeWithin {
  readonly accountId: string;
  readonly keyId: string;
  /** Globally unique: at most one charge has this reference. */
  readonly reference: string;
  /** At least one address, unless the charge is made with what it pays for. */
  readonly price: Price;
  /** Free verifies per month in the account's plan; null: unlimited. */
  readonly freeVerifiesPerMonth: number | null;
}

/** The result of a batch of refunds. */
export interface RefundsOutcome {
  /** Parts refunded, without those refunded before. */
  readonly parts: number;
  /** References of charges whose account was not locked: not refunded. */
  readonly notLocked: readonly string[];
  /** References of charges that do not exist, or whose refunds would exceed the payment: not refunded. */
  readonly impossible: readonly string[];
}

/** Moves money outside the charge batcher, always under the account's balance lock. */
@Injectable()
export class LedgerRepository {
  /**
   * @param now SQL for the current time, UTC
   * @param metrics left out by commands
   */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
    private readonly metrics?: LedgerMetrics,
  ) {}

  /**
   * Grants credits in a transaction of its own.
   * @param beforeCommit if it rejects, nothing is granted
   */
  async grant(grant: Grant, actor: Actor, beforeCommit?: (funds: Funds) => Promise<void>): Promise<GrantOutcome> {
    let tried: GrantOutcome['kind'] | null = null;
    const once = (): Promise<GrantOutcome> =>
      retriedTransaction(this.dataSource, async (transaction) => {
        const outcome = await this.grantWithin(transaction, grant, actor);
        if (outcome.kind === 'granted') await beforeCommit?.(outcome.funds);
        tried = outcome.kind;
        return outcome;
      });
    try {
      return await once().catch(async (error: unknown) => {
        if (!(error instanceof CommitUnknown) || tried !== 'granted') throw error;
        // The reference tells: what is committed is not granted again.
        const outcome = await once();
        return outcome.kind === 'repeated' ? { ...outcome, kind: 'granted' } : outcome;
      });
    } catch (error) {
      // The lock serializes grants of one account: another account's grant took the reference first.
      if (isDuplicateKey(error, 'ledger_entries_reference')) return { kind: 'reference_used' };
      throw error;
    }
  }

  /** Grants a new account its first credits, in the transaction that makes it. */
  firstCredits(credits: number, actor: Actor): WithNewAccount {
    return async (transaction, accountId) => {
      const grant = { accountId, credits, kind: 'purchased', reference: grantReference(newId()) } as const;
      await this.grantWithin(transaction, grant, actor);
    };
  }

  async grantWithin(transaction: EntityManager, grant: Grant, actor: Actor): Promise<GrantOutcome> {
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

  /** Locks an account until the transaction ends: nothing else can move its money meanwhile. */
  async holdWithin(transaction: EntityManager, accountId: string): Promise<void> {
    if ((await this.lock(transaction, accountId)) === null) throw new Error('the account to lock does not exist');
  }

  /** Charges in the transaction that stores what is paid for: both are committed or neither (decisions 4.1). */
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
   * Refunds addresses of a charge in the transaction that stores the reason. Skips parts already refunded.
   * @returns the funds afterwards
   * @throws RangeError if refunds would exceed the payment
   */
  async refundWithin(transaction: EntityManager, reference: string, parts: readonly RefundPart[]): Promise<Funds> {
    const [charge] = await findCharges(transaction, [reference]);
    if (charge === undefined) throw new Error('no charge has the reference of this refund');
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
   * Locks the balances of charged accounts in id order. To prevent deadlocks, a transaction that needs several locks
   * them all in one call.
   * @returns the rows' funds, in the month of each row, without accounts that were never charged
   */
  async lockAllWithin(transaction: EntityManager, accountIds: readonly string[]): Promise<Map<string, Funds>> {
    if (accountIds.length === 0) return new Map();
    const rows = await transaction.sql<BalanceRow[]>`
      SELECT ${() => BALANCE_COLUMNS} FROM account_balances FORCE INDEX (PRIMARY)
        WHERE account_id IN (${accountIds.map(idToBytes)}) ORDER BY account_id FOR UPDATE`;
    // Keep each row's own month: `writeBalances` adds to what the rows hold, and a refund counts in the month of its
    // charge.
    return new Map(rows.map((row) => [idFromBytes(row.account_id), toFunds(row)]));
  }

  /**
   * Refunds parts of many charges in a few statements. Skips parts already refunded and charges refunded in full.
   * @param locked funds of the accounts whose balances this transaction has locked; updated in place
   * @param wanted parts by the reference of their charge: a few hundred charges at most
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
      for (const change of writeBalances(locked, changed)) await change.run(transaction);
      await insertEntries(entries, this.now).run(transaction);
      this.metrics?.count(entries);
    }
    for (const [accountId, funds] of changed) locked.set(accountId, funds);
    return { parts: entries.length, notLocked, impossible };
  }

  /** Takes the lock that guards all of an account's money. Null: no such account. */
  private async lock(transaction: EntityManager, accountId: string): Promise<Funds | null> {
    await addMissingBalance(accountId).run(transaction);
    const [row] = await transaction.sql<(BalanceRow & { now_month: number | string })[]>`
      SELECT ${() => BALANCE_COLUMNS}, EXTRACT(YEAR_MONTH FROM ${() => this.now}) AS now_month
        FROM account_balances WHERE account_id = ${idToBytes(accountId)} FOR UPDATE`;
    return row === undefined ? null : inMonth(toFunds(row), Number(row.now_month));
  }

  private async write(
    transaction: EntityManager,
    accountId: string,
    funds: Funds,
    entries: readonly NewEntry[],
  ): Promise<void> {
    await updateBalance(accountId, funds).run(transaction);
    await insertEntries(entries, this.now).run(transaction);
    this.metrics?.count(entries);
  }
}

async function findGrant(transaction: EntityManager, reference: string) {
  const [row] = await transaction.sql<{ account_id: Buffer; purchased: string; gifted: string }[]>`
    SELECT account_id, purchased, gifted FROM ledger_entries WHERE reference = ${reference} FOR UPDATE`;
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
