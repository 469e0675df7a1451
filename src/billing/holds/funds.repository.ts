import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { askPool } from '../../platform/database/ask-pool.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { inMonth, NO_FUNDS, type Funds } from '../funds.js';
import { BALANCE_COLUMNS, toFunds, type BalanceRow } from '../ledger/balance-rows.repository.js';

/** Reads balances without locks. */
@Injectable()
export class FundsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Funds of these accounts in the current month, by the database's clock. An account without a row has none. */
  async read(accountIds: readonly string[]): Promise<Map<string, Funds>> {
    // The query returns the month even if no row exists.
    const rows = await askPool<((BalanceRow | Record<keyof BalanceRow, null>) & { now_month: number | string })[]>(
      this.dataSource,
      `SELECT n.now_month, ${BALANCE_COLUMNS} FROM (SELECT EXTRACT(YEAR_MONTH FROM ${NOW}) AS now_month) n
        LEFT JOIN account_balances ON account_id IN (?)`,
      [accountIds.map(idToBytes)],
    );
    const month = Number(rows[0]!.now_month);
    const found = new Map<string, Funds>(accountIds.map((id) => [id, { ...NO_FUNDS, month }]));
    for (const row of rows) {
      if (row.account_id !== null) found.set(idFromBytes(row.account_id), inMonth(toFunds(row), month));
    }
    return found;
  }
}
