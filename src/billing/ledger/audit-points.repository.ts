import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccountData } from '../../auth/deletion/account-data.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { Month } from '../month.js';
import type { RowSums } from './range-sums.repository.js';

/**
 * What an account's ledger rows after its last closing add up to, as far as the daily audit has read them: a sum of rows,
 * never of the balance. The next closing ends it, and the audit starts anew after that closing.
 */
export interface AuditPoint extends RowSums {
  readonly account: string;
  /** The last row of the closing, or 0. */
  readonly fromId: string;
  /** Month of the free verifies. */
  readonly month: Month;
}

interface PointRow extends Pick<AuditPoint, 'fromId' | 'throughId' | 'month'> {
  account: Buffer;
  purchased: string;
  gifted: string;
  freeVerifiesUsed: string;
}

/** Keeps how far the daily audit has read each ledger. */
@Injectable()
export class AuditPointsRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  /** @param points of accounts that may be deleted meanwhile */
  keep(points: readonly AuditPoint[]): Promise<void> {
    if (points.length === 0) return Promise.resolve();
    return retriedTransaction(this.dataSource, async (transaction) => {
      // The deletion of an account waits until this is committed, and then erases it.
      const rows = await transaction.sql<{ id: Buffer }[]>`
        SELECT id FROM accounts WHERE id IN (${points.map(({ account }) => idToBytes(account))}) LOCK IN SHARE MODE`;
      const there = new Set(rows.map(({ id }) => idFromBytes(id)));
      const values = points
        .filter(({ account }) => there.has(account))
        .map((point) => [
          idToBytes(point.account),
          point.fromId,
          point.throughId,
          point.purchased,
          point.gifted,
          point.month,
          point.freeVerifiesUsed,
        ]);
      if (values.length === 0) return;
      await transaction.sql`
        INSERT INTO ledger_audit_points (account_id, from_id, through_id, purchased, gifted, month,
          free_verifies_used) VALUES ${values}
          ON DUPLICATE KEY UPDATE from_id = VALUES(from_id), through_id = VALUES(through_id),
            purchased = VALUES(purchased), gifted = VALUES(gifted), month = VALUES(month),
            free_verifies_used = VALUES(free_verifies_used)`;
    });
  }

  async erase(accountId: string): Promise<void> {
    await this.dataSource.sql`DELETE FROM ledger_audit_points WHERE account_id = ${idToBytes(accountId)}`;
  }
}

/** The points of these accounts, by account. */
export async function readPoints(
  transaction: EntityManager,
  accounts: readonly { readonly id: string }[],
): Promise<Map<string, AuditPoint>> {
  if (accounts.length === 0) return new Map();
  const rows = await transaction.sql<PointRow[]>`
    SELECT account_id AS account, from_id AS fromId, through_id AS throughId, purchased, gifted, month,
      free_verifies_used AS freeVerifiesUsed FROM ledger_audit_points
        WHERE account_id IN (${accounts.map(({ id }) => idToBytes(id))})`;
  return new Map(
    rows.map((row) => {
      const account = idFromBytes(row.account);
      const [purchased, gifted] = [Number(row.purchased), Number(row.gifted)];
      return [account, { ...row, account, purchased, gifted, freeVerifiesUsed: Number(row.freeVerifiesUsed) }];
    }),
  );
}
