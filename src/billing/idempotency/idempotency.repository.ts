import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { isDuplicateKey, isLockConflict } from '../../platform/database/database-errors.js';
import { readJson } from '../../platform/database/read-json.js';
import { idToBytes } from '../../platform/ids/uuid.js';

/** The lease of a call with a key: while it lasts, no other call with the key runs. */
export interface Lease {
  /** Row of `idempotency_records`. */
  readonly recordId: number;
  /** 16 octets, unique to the call. */
  readonly lease: Buffer;
}

/** An answer as sent. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: Buffer;
}

export type Acquisition =
  | { readonly kind: 'acquired'; readonly lease: Lease }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer; readonly requestHash: Buffer }
  | { readonly kind: 'running'; readonly requestHash: Buffer };

interface RecordRow {
  id: string;
  request_sha256: Buffer;
  lease: Buffer;
  status: number | null;
  headers: string | Record<string, string> | null;
  body: Buffer | null;
  /** 0 or 1; MySQL returns it as a BIGINT. */
  expired: number | string;
}

/** Longer than any call runs (decisions 1.7). */
const LEASE_SECONDS = 60;
/** Attempts if the record disappears or is taken over meanwhile: another call is just as fast. */
const MAX_TRIES = 5;

/** Records of calls with an `Idempotency-Key`. Each statement is its own transaction. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes the lease of a scope, or reports the state of the call that has it. @param lease 16 octets, never used before
   */
  async acquire(scope: Buffer, accountId: string, requestHash: Buffer, lease: Buffer): Promise<Acquisition> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const inserted = await this.insert(scope, accountId, requestHash, lease);
      if (inserted !== null) return { kind: 'acquired', lease: { recordId: inserted, lease } };
      const row = await this.find(scope);
      if (row === null) continue;
      if (Number(row.expired) === 0) return outcomeOf(row);
      const recordId = Number(row.id);
      if (await this.takeOver(recordId, row.lease, requestHash, lease)) {
        return { kind: 'acquired', lease: { recordId, lease } };
      }
    }
    return { kind: 'running', requestHash };
  }

  /** Stores the answer of a free call; false if another call has taken the lease. */
  storeAnswer(lease: Lease, answer: StoredAnswer, hours: number): Promise<boolean> {
    return this.keepWithin(this.dataSource.manager, lease, answer, hours);
  }

  /** The same in a transaction that stores the result; roll back if false. */
  async keepWithin(
    transaction: EntityManager,
    { recordId, lease }: Lease,
    { status, headers, body }: StoredAnswer,
    hours: number,
  ): Promise<boolean> {
    const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
      UPDATE idempotency_records SET status = ${status}, headers = ${headers && JSON.stringify(headers)},
        body = ${body}, expires_at = ${() => NOW} + INTERVAL ${hours} HOUR
        WHERE id = ${recordId} AND lease = ${lease} AND status IS NULL`;
    return affectedRows === 1;
  }

  /** Ends the lease of a call without an answer to store: the next call with its key starts at once. */
  async release({ recordId, lease }: Lease): Promise<void> {
    await this.dataSource.sql`
      DELETE FROM idempotency_records WHERE id = ${recordId} AND lease = ${lease} AND status IS NULL`;
  }

  /** Deletes up to `limit` expired records. @returns the number deleted */
  @PurgeEvery(5 * 60_000, 'delete-expired-answers')
  async deleteExpired(limit: number): Promise<number> {
    const rows = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM idempotency_records WHERE expires_at <= ${() => NOW} ORDER BY expires_at LIMIT ${limit}`;
    if (rows.length > 0) {
      // Delete by primary key: a scan of a small table would wait for the locks of running calls.
      await this.dataSource.sql`DELETE r FROM idempotency_records AS r FORCE INDEX (PRIMARY)
        WHERE r.id IN (${rows.map(({ id }) => Number(id))}) AND r.expires_at <= ${() => NOW}`;
    }
    return rows.length;
  }

  /** Null if the scope has a record. */
  private async insert(scope: Buffer, accountId: string, requestHash: Buffer, lease: Buffer): Promise<number | null> {
    try {
      const { insertId } = await this.dataSource.sql<{ insertId: number | string }>`
        INSERT INTO idempotency_records (scope_sha256, account_id, request_sha256, lease, expires_at)
          VALUES (${scope}, ${idToBytes(accountId)}, ${requestHash}, ${lease},
            ${() => NOW} + INTERVAL ${LEASE_SECONDS} SECOND)`;
      return Number(insertId);
    } catch (error) {
      if (isDuplicateKey(error) || isLockConflict(error)) return null;
      throw error;
    }
  }

  private async find(scope: Buffer): Promise<RecordRow | null> {
    const [row] = await this.dataSource.sql<RecordRow[]>`
      SELECT id, request_sha256, lease, status, headers, body, expires_at <= ${() => NOW} AS expired
        FROM idempotency_records WHERE scope_sha256 = ${scope}`;
    return row ?? null;
  }

  private async takeOver(recordId: number, old: Buffer, requestHash: Buffer, lease: Buffer): Promise<boolean> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      UPDATE idempotency_records SET request_sha256 = ${requestHash}, lease = ${lease}, status = NULL, headers = NULL,
        body = NULL, expires_at = ${() => NOW} + INTERVAL ${LEASE_SECONDS} SECOND
        WHERE id = ${recordId} AND lease = ${old} AND expires_at <= ${() => NOW}`;
    return affectedRows === 1;
  }
}

function outcomeOf({ request_sha256, status, headers, body }: RecordRow): Acquisition {
  if (status === null) return { kind: 'running', requestHash: request_sha256 };
  return {
    kind: 'answered',
    answer: { status, headers: readJson(headers), body: body ?? Buffer.alloc(0) },
    requestHash: request_sha256,
  };
}
