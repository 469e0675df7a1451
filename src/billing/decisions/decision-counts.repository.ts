import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { askPool } from '../../platform/database/ask-pool.js';
import { retryLockConflicts } from '../../platform/database/retry-lock-conflicts.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { Month } from '../month.js';

/** The column's maximum: the limit of an unlimited plan. */
const MAX_USED = 4_294_967_295;

export interface DecisionsUsed {
  readonly accountId: string;
  readonly month: Month;
  readonly used: number;
}

/** Counts of remote decisions. Each operation is one statement, so it never writes a stale value. */
@Injectable()
export class DecisionCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Counts up to `wanted` decisions, within `perMonth`; none of an account that was deleted during the call.
   * @param perMonth null: unlimited
   * @returns how many were counted
   */
  async take(accountId: string, month: Month, wanted: number, perMonth: number | null): Promise<number> {
    const limit = perMonth ?? MAX_USED;
    const taken = (): Promise<{ insertId: number | string }> => this.dataSource.sql`
      INSERT INTO decision_counts (account_id, month, used)
        SELECT id, ${month}, LAST_INSERT_ID(LEAST(${wanted}, ${limit})) FROM accounts
          WHERE id = ${idToBytes(accountId)}
        ON DUPLICATE KEY UPDATE
          used = used + LAST_INSERT_ID(IF(used < ${limit}, LEAST(${wanted}, ${limit} - used), 0))`;
    // Concurrent inserts of a month's first row may conflict.
    // The statement's own reply carries LAST_INSERT_ID(...), so concurrent writers do not matter.
    const { insertId } = await retryLockConflicts(taken);
    return Number(insertId);
  }

  /** Decrements the count of its month. */
  async giveBack(accountId: string, month: Month): Promise<void> {
    await this.dataSource.sql`
      UPDATE decision_counts SET used = used - 1 WHERE account_id = ${idToBytes(accountId)} AND month = ${month}
        AND used > 0`;
  }

  /** Counts of each account in one of these months, if there are any. */
  async used(accountIds: readonly string[], months: readonly Month[]): Promise<DecisionsUsed[]> {
    const rows = await askPool<{ account_id: Buffer; month: Month; used: number }[]>(
      this.dataSource,
      'SELECT account_id, month, used FROM decision_counts WHERE account_id IN (?) AND month IN (?)',
      [accountIds.map(idToBytes), months],
    );
    return rows.map(({ account_id, month, used }) => ({ accountId: idFromBytes(account_id), month, used }));
  }
}
