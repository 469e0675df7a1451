import { Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { Month } from '../month.js';
import { NOTHING, statement } from '../../platform/database/statement.js';

/** Rows that are added up while their account's balance is locked: some hundredths of a second. */
const ROWS_AT_ONCE = 10_000;

/** Closes months: stores the sums of an account's ledger rows, so that later sums start there. */
@Injectable()
export class LedgerClosingRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {}

  /** The last month that has ended. */
  async lastMonth(): Promise<Month> {
    const [row] = await this.dataSource.query<{ month: number | string }[]>(
      `SELECT EXTRACT(YEAR_MONTH FROM ${this.now} - INTERVAL 1 MONTH) AS month`,
    );
    return Number(row!.month);
  }

  /** Accounts with a balance but no closing of this month, in id order. */
  async unclosed(month: Month, limit: number): Promise<string[]> {
    const rows = await this.dataSource.sql<{ account_id: Buffer }[]>`SELECT b.account_id FROM account_balances b
      LEFT JOIN ledger_closings c ON c.account_id = b.account_id AND c.month >= ${month}
      WHERE c.account_id IS NULL ORDER BY b.account_id LIMIT ${limit}`;
    return rows.map(({ account_id }) => idFromBytes(account_id));
  }

  /**
   * Closes an account's month: its rows up to the first of a later month. The balance lock guarantees that no row with
   * a smaller id is uncommitted, and is let go after some rows: charges go on. The closing is written at the end: a run
   * that breaks off leaves none, and is found again. Idempotent: a second run adds rows written meanwhile. Months before
   * the last closed one do not change.
   */
  async close(accountId: string, month: Month): Promise<void> {
    const id = idToBytes(accountId);
    await closeBySome((before) =>
      retriedTransaction(this.dataSource, async (transaction) => {
        await lockBalance(transaction, id);
        return this.closeSome(transaction, id, month, before);
      }),
    );
  }

  /** Closes all months of an account that gets no more rows, including the current one. Locks its balance. */
  async closeAllWithin(transaction: EntityManager, accountId: string): Promise<void> {
    const id = idToBytes(accountId);
    await lockBalance(transaction, id);
    const last = await lastClosing(transaction, id);
    const rows = await transaction.sql<{ month: number }[]>`
      SELECT DISTINCT month FROM ledger_entries WHERE account_id = ${id} AND id > ${last?.through_id ?? '0'}
        ORDER BY month`;
    // A refund counts in the month of its charge, which may already be closed.
    const months = new Set(rows.map(({ month }) => Math.max(month, last?.month ?? 0)));
    for (const month of months) await closeBySome((before) => this.closeSome(transaction, id, month, before));
  }

  /**
   * @param before what the rows before add up to; null: the last closing
   * @returns what the rows add up to, if there may be more of the month; null: it is closed
   */
  private async closeSome(
    transaction: EntityManager,
    id: Buffer,
    month: Month,
    before: ClosingRow | null,
  ): Promise<ClosingRow | null> {
    const last = before ?? (await lastClosing(transaction, id));
    if (last !== undefined && last.month > month) return null;
    const from = last?.through_id ?? '0';
    // Without the index hints, MariaDB reads a long ledger from its first row.
    const rows = statement`FROM ledger_entries FORCE INDEX (ledger_entries_account)
      WHERE account_id = ${id} AND id > ${from}`;
    const [end] = await statement`SELECT id ${rows} ORDER BY id LIMIT 1 OFFSET ${ROWS_AT_ONCE - 1}`.run<IdRow[]>(
      transaction,
    );
    const some = end === undefined ? rows : statement`${rows} AND id <= ${end.id}`;
    const [next] = await statement`SELECT id ${some} AND month > ${month} ORDER BY id LIMIT 1`.run<IdRow[]>(
      transaction,
    );
    const [sums] = await statement`
      SELECT COALESCE(MAX(id), ${from}) AS through_id, ${Number(last?.purchased ?? 0)} + COALESCE(SUM(purchased), 0) AS purchased,
        ${Number(last?.gifted ?? 0)} + COALESCE(SUM(gifted), 0) AS gifted
        ${some} ${next === undefined ? NOTHING : statement`AND id < ${next.id}`}`.run<Omit<ClosingRow, 'month'>[]>(
      transaction,
    );
    const { through_id, purchased, gifted } = sums!;
    if (end !== undefined && next === undefined) return { month, through_id, purchased, gifted };
    await transaction.sql`
      INSERT INTO ledger_closings (account_id, month, through_id, purchased, gifted, created_at)
        VALUES (${id}, ${month}, ${through_id}, ${purchased}, ${gifted}, ${() => this.now})
        ON DUPLICATE KEY UPDATE through_id = VALUES(through_id), purchased = VALUES(purchased), gifted = VALUES(gifted)`;
    return null;
  }
}

interface IdRow {
  id: string;
}

interface ClosingRow {
  month: number;
  through_id: string;
  purchased: string;
  gifted: string;
}

async function closeBySome(closeSome: (before: ClosingRow | null) => Promise<ClosingRow | null>): Promise<void> {
  let before: ClosingRow | null = null;
  do before = await closeSome(before);
  while (before !== null);
}

async function lockBalance(transaction: EntityManager, id: Buffer): Promise<void> {
  await transaction.sql`SELECT account_id FROM account_balances WHERE account_id = ${id} FOR UPDATE`;
}

async function lastClosing(transaction: EntityManager, id: Buffer): Promise<ClosingRow | undefined> {
  const [last] = await transaction.sql<ClosingRow[]>`
    SELECT month, through_id, purchased, gifted FROM ledger_closings WHERE account_id = ${id} ORDER BY month DESC
      LIMIT 1`;
  return last;
}
