import { Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { RESULTS, type Result } from '../../engine/verdict/result.js';
import type { AccountData } from '../../auth/deletion/account-data.repository.js';
import { staleRows } from '../../platform/database/replica/stale-reads.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { MeteredKind } from '../metering/metered-kind.js';
import { sqlValue, statement } from '../../platform/database/statement.js';

/** Verdicts by result. */
export type VerdictCounts = Readonly<Record<Result, number>>;

export interface UsageCount {
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: MeteredKind;
  readonly verdicts: VerdictCounts;
}

export interface UsageOfDay extends Omit<UsageCount, 'accountId'> {
  /** Such as `2026-11-28`, UTC. */
  readonly day: string;
}

type UsageRow = { day: string; endpoint: MeteredKind; key_id: Buffer } & Record<Result, number>;

const COLUMNS = RESULTS.join(', ');
/** Long enough to compare a month with the same month of the year before. */
const KEPT_MONTHS = 13;

/** Raw SQL: one statement adds to the counts of many accounts. */
@Injectable()
export class UsageCountsRepository implements AccountData {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {}

  /** Adds to today's counts, all or none, without those of deleted accounts. @param daysAgo adds to an earlier day */
  async add(counts: readonly UsageCount[], daysAgo = 0): Promise<void> {
    const day = sqlValue(`DATE(${this.now} - INTERVAL ${daysAgo} DAY)`);
    const added = RESULTS.map((result) => `${result} = ${result} + VALUES(${result})`).join(', ');
    // One lock order, so that two processes that add to the same rows do not deadlock.
    const ordered = counts.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    await retriedTransaction(this.dataSource, async (transaction) => {
      const accounts = await lockAccounts(transaction, [...new Set(ordered.map(({ accountId }) => accountId))]);
      const rows = ordered
        .filter(({ accountId }) => accounts.has(accountId))
        .map(({ accountId, endpoint, keyId, verdicts }) => {
          const counted = RESULTS.map((result) => verdicts[result]);
          return [idToBytes(accountId), day, endpoint, idToBytes(keyId), ...counted];
        });
      if (rows.length === 0) return;
      await transaction.sql`
        INSERT INTO usage_counts (account_id, day, endpoint, key_id, ${() => COLUMNS}) VALUES ${rows}
          ON DUPLICATE KEY UPDATE ${() => added}`;
    });
  }

  /** The counts of the last days, today's included. */
  async ofDays(accountId: string, days: number): Promise<UsageOfDay[]> {
    const rows = await staleRows<UsageRow>(
      this.dataSource,
      statement`SELECT DATE_FORMAT(day, '%Y-%m-%d') AS day, endpoint, key_id, ${() => COLUMNS} FROM usage_counts
        WHERE account_id = ${idToBytes(accountId)} AND day > DATE(${() => this.now}) - INTERVAL ${days} DAY`,
    );
    return rows.map(({ day, endpoint, key_id, ...row }) => ({
      day,
      endpoint,
      keyId: idFromBytes(key_id),
      verdicts: Object.fromEntries(RESULTS.map((result) => [result, row[result]])) as Record<Result, number>,
    }));
  }

  /** Deletes up to `limit` counts of days that ended `KEPT_MONTHS` ago. @returns the number deleted */
  @PurgeEvery(60 * 60_000, 'delete-old-usage-counts')
  async deleteOld(limit: number): Promise<number> {
    // Read committed locks only the rows that the statement deletes.
    return retriedTransaction(this.dataSource, async (transaction) => {
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
        DELETE FROM usage_counts WHERE day < DATE(${() => this.now}) - INTERVAL ${KEPT_MONTHS} MONTH ORDER BY day
          LIMIT ${limit}`;
      return affectedRows;
    });
  }

  /** Deletes the counts of a deleted account. */
  async erase(accountId: string): Promise<void> {
    await this.dataSource.sql`DELETE FROM usage_counts WHERE account_id = ${idToBytes(accountId)}`;
  }
}

/** The accounts among these that exist. They are not deleted before the transaction ends. */
async function lockAccounts(transaction: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await transaction.sql<{ id: Buffer }[]>`
    SELECT id FROM accounts WHERE id IN (${ids.map(idToBytes)}) ORDER BY id LOCK IN SHARE MODE`;
  return new Set(rows.map(({ id }) => idFromBytes(id)));
}

/** The order of the primary key, for counts of one day. */
function orderOf({ accountId, endpoint, keyId }: UsageCount): string {
  return `${accountId} ${endpoint} ${keyId}`;
}
