import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { staleSnapshot } from '../../platform/database/replica/stale-reads.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { LedgerKind } from '../ledger/ledger-kind.js';
import type { Month } from '../month.js';
import { NO_KEY } from './ledger-chunks.repository.js';
import { ENDPOINT_OF_ROW, type LedgerEndpoint } from './ledger-endpoint.js';
import { statement, type Statement } from '../../platform/database/statement.js';

/** What the ledger rows of a day, kind, endpoint and key add up to. */
export interface LedgerSum {
  /** Such as `2026-11-28`, UTC. */
  readonly day: string;
  readonly kind: LedgerKind;
  readonly endpoint: LedgerEndpoint;
  /** Null: no key. */
  readonly keyId: string | null;
  readonly addresses: number;
  /** Change in credits: negative for charges. */
  readonly credits: number;
  /** Change in free verifies: negative for charges. */
  readonly freeVerifies: number;
}

/** What an account used in a month, refunds taken off. */
export interface MonthUse {
  readonly month: Month;
  readonly credits: number;
  readonly freeVerifies: number;
}

interface SumRow extends Pick<LedgerSum, 'day' | 'kind' | 'endpoint'> {
  keyId: Buffer;
  addresses: string;
  credits: string;
  freeVerifies: string;
}

/** Exact sums of an account's ledger: those on record plus the rows since, read in one snapshot. */
@Injectable()
export class LedgerSumsRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {}

  /** The sums of the last days, today's included. A day may come in several parts. */
  async ofDays(accountId: string, days: number): Promise<LedgerSum[]> {
    const id = idToBytes(accountId);
    const since = statement`DATE(${() => this.now}) - INTERVAL ${days} DAY`;
    const rows = await this.read<SumRow>(
      id,
      (
        notSummedUp,
      ) => statement`SELECT DATE_FORMAT(d.day, '%Y-%m-%d') AS day, d.kind, d.endpoint, d.key_id AS keyId, d.addresses, d.credits,
            d.free_verifies AS freeVerifies
          FROM ledger_days d WHERE d.account_id = ${id} AND d.day > ${since}
        UNION ALL
        SELECT DATE_FORMAT(e.created_at, '%Y-%m-%d'), e.kind, ${() => ENDPOINT_OF_ROW}, COALESCE(e.key_id, ${NO_KEY}),
            SUM(e.addresses), SUM(e.purchased + e.gifted), SUM(e.free_verifies)
          FROM ledger_entries e FORCE INDEX (ledger_entries_account)
          WHERE ${notSummedUp} AND e.created_at >= ${since} + INTERVAL 1 DAY GROUP BY 1, 2, 3, 4`,
    );
    return rows.map((row) => ({
      ...row,
      keyId: row.keyId.equals(NO_KEY) ? null : idFromBytes(row.keyId),
      addresses: Number(row.addresses),
      credits: Number(row.credits),
      freeVerifies: Number(row.freeVerifies),
    }));
  }

  /** What was used in each of the last months, this one included, latest first. Months without a call are left out. */
  async ofMonths(accountId: string, months: number): Promise<MonthUse[]> {
    const id = idToBytes(accountId);
    const since = statement`EXTRACT(YEAR_MONTH FROM ${() => this.now} - INTERVAL ${months} MONTH)`;
    const rows = await this.read<{ month: number; credits: string; free_verifies: string }>(
      id,
      (notSummedUp) => statement`SELECT month, SUM(credits) AS credits, SUM(free_verifies) AS free_verifies FROM (
          SELECT d.month, d.credits, d.free_verifies FROM ledger_days d
            WHERE d.account_id = ${id} AND d.kind <> 'grant' AND d.month > ${since}
          UNION ALL
          SELECT e.month, e.purchased + e.gifted, e.free_verifies FROM ledger_entries e
            WHERE ${notSummedUp} AND e.kind <> 'grant' AND e.month > ${since}
        ) AS used GROUP BY month ORDER BY month DESC`,
    );
    return rows.map(({ month, credits, free_verifies }) => ({
      month,
      // Not -0.
      credits: 0 - Number(credits),
      freeVerifies: 0 - Number(free_verifies),
    }));
  }

  /** @param select given the condition on `ledger_entries e` for rows after the last chunk */
  private read<Row>(accountId: Buffer, select: (notSummedUp: Statement) => Statement): Promise<Row[]> {
    return staleSnapshot(this.dataSource, async (transaction) => {
      const [last] = await transaction.sql<{ through_id: string }[]>`
        SELECT through_id FROM ledger_chunks WHERE account_id = ${accountId} ORDER BY number DESC LIMIT 1`;
      // The end is a value: with a query in its place MariaDB reads all rows of the account.
      const notSummedUp = statement`e.account_id = ${accountId} AND e.id > ${last?.through_id ?? '0'}`;
      return select(notSummedUp).run<Row[]>(transaction);
    });
  }
}
