import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import type { AccountData } from '../../auth/deletion/account-data.repository.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { ENDPOINT_OF_ROW } from './ledger-endpoint.js';

/** Rows of a chunk. A page of the statement may read twelve chunks, each in two milliseconds. */
export const CHUNK_ROWS = 500;
/** Stands in `ledger_days` for the key of a row that has none. */
export const NO_KEY = Buffer.alloc(16);

interface LastChunk {
  number: number;
  through_id: string;
  credits_after: string;
}

/** Sums up the ledger, five hundred rows at a time. Rows are never changed, so a sum never is. */
@Injectable()
export class LedgerChunksRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  /** Accounts that money was moved on, in id order. */
  async accounts(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.sql<{ account_id: Buffer }[]>`
      SELECT account_id FROM account_balances WHERE account_id >
        ${after === null ? Buffer.alloc(0) : idToBytes(after)} ORDER BY account_id LIMIT ${limit}`;
    return rows.map(({ account_id }) => idFromBytes(account_id));
  }

  /** Sums up the account's next five hundred rows. @returns false if it has fewer, or another process sums them up */
  async advance(accountId: string): Promise<boolean> {
    const id = idToBytes(accountId);
    const [last] = await this.dataSource.sql<LastChunk[]>`
      SELECT number, through_id, credits_after FROM ledger_chunks WHERE account_id = ${id} ORDER BY number DESC
        LIMIT 1`;
    const from = last?.through_id ?? '0';
    // An account's rows are written under its lock, so all rows before one that is seen are committed.
    // Without the index hint, MariaDB reads a long ledger from its first row.
    const [end] = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM ledger_entries FORCE INDEX (ledger_entries_account)
        WHERE account_id = ${id} AND id > ${from} ORDER BY id LIMIT 1 OFFSET ${CHUNK_ROWS - 1}`;
    if (end === undefined) return false;
    try {
      // Read committed: the reads of INSERT ... SELECT lock nothing.
      return await retriedTransaction(this.dataSource, (transaction) =>
        sumUp(transaction, id, {
          number: (last?.number ?? -1) + 1,
          from,
          through: end.id,
          before: last?.credits_after ?? '0',
        }),
      );
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Deletes the sums of a deleted account. */
  async erase(accountId: string): Promise<void> {
    const id = idToBytes(accountId);
    await this.dataSource.sql`DELETE FROM ledger_chunks WHERE account_id = ${id}`;
    await this.dataSource.sql`DELETE FROM ledger_days WHERE account_id = ${id}`;
  }
}

/** The chunk's number is unique, so the sums of its rows are added once. @returns false for a deleted account */
async function sumUp(
  transaction: EntityManager,
  id: Buffer,
  chunk: { readonly number: number; readonly from: string; readonly through: string; readonly before: string },
): Promise<boolean> {
  // Its deletion waits until this is committed, and then erases it.
  const accounts = await transaction.sql<unknown[]>`SELECT id FROM accounts WHERE id = ${id} LOCK IN SHARE MODE`;
  if (accounts.length === 0) return false;
  const { number, from, through, before } = chunk;
  await transaction.sql`
    INSERT INTO ledger_chunks (account_id, number, from_id, through_id, first_at, last_at, grants, charges, refunds,
        credits_after)
      SELECT ${id}, ${number}, ${from}, ${through}, MIN(e.created_at), MAX(e.created_at), SUM(e.kind = 'grant'),
        SUM(e.kind = 'charge'), SUM(e.kind = 'refund'), ${before} + SUM(e.purchased + e.gifted)
      FROM ledger_entries e WHERE e.account_id = ${id} AND e.id > ${from} AND e.id <= ${through}`;
  await transaction.sql`
    INSERT INTO ledger_days (account_id, day, kind, endpoint, key_id, month, addresses, credits, free_verifies)
      SELECT e.account_id, DATE(e.created_at), e.kind, ${() => ENDPOINT_OF_ROW}, COALESCE(e.key_id, ${NO_KEY}), e.month,
        SUM(e.addresses), SUM(e.purchased + e.gifted), SUM(e.free_verifies)
      FROM ledger_entries e WHERE e.account_id = ${id} AND e.id > ${from} AND e.id <= ${through}
      GROUP BY 1, 2, 3, 4, 5, 6
      ON DUPLICATE KEY UPDATE addresses = ledger_days.addresses + VALUES(addresses),
        credits = ledger_days.credits + VALUES(credits),
        free_verifies = ledger_days.free_verifies + VALUES(free_verifies)`;
  return true;
}
