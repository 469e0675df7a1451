import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';
import type { KeyMode } from './api-key.js';
import type { Caller } from './caller.js';
import { PLAN_COLUMNS, toPlan, type PlanRow } from './plan-row.js';

/** A valid key at the moment of the read. */
export interface KeyInForce {
  readonly caller: Caller;
  /** Milliseconds until it expires, by the database's clock; null: it does not. */
  readonly remainingMs: number | null;
}

interface KeyInForceRow extends PlanRow {
  sha256: Buffer;
  id: Buffer;
  account_id: Buffer;
  mode: KeyMode;
  /** BIGINT: text. */
  remaining_ms: string | number | null;
}

/** Raw SQL: authentication is on the hot path. Each hash reads three rows by their keys. */
const SELECT_IN_FORCE = `SELECT k.sha256, k.id, k.account_id, k.mode,
    TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), k.expires_at) DIV 1000 AS remaining_ms,
    ${PLAN_COLUMNS}
  FROM api_keys k JOIN accounts a ON a.id = k.account_id JOIN plans p ON p.name = a.plan
  WHERE k.sha256 IN (?) AND k.revoked_at IS NULL AND a.suspended_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > UTC_TIMESTAMP(3))`;

/** The reads and writes of authentication. `ApiKeyRepository` is what operators use. */
@Injectable()
export class KeyLookupRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Finds the keys in force by their SHA-256 in hex. Leaves out unknown, revoked, expired and suspended ones. */
  async findInForce(hashes: readonly string[]): Promise<ReadonlyMap<string, KeyInForce>> {
    const rows = await this.dataSource.query<KeyInForceRow[]>(SELECT_IN_FORCE, [
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    ]);
    return new Map(rows.map((row) => [row.sha256.toString('hex'), toKeyInForce(row)]));
  }

  /**
   * Sets the time of last use of these keys to now. One statement per key: a statement over many rows locks all of them while
   * it runs, and scans a small table.
   */
  async noteUse(keyIds: readonly string[]): Promise<void> {
    for (const id of keyIds) {
      await this.dataSource.sql`UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3)
        WHERE id = ${idToBytes(id)} AND (last_used_at IS NULL OR last_used_at < UTC_TIMESTAMP(3) - INTERVAL 50 SECOND)`;
    }
  }
}

function toKeyInForce(row: KeyInForceRow): KeyInForce {
  return {
    caller: {
      accountId: idFromBytes(row.account_id),
      keyId: idFromBytes(row.id),
      mode: row.mode,
      plan: toPlan(row),
    },
    remainingMs: row.remaining_ms === null ? null : Number(row.remaining_ms),
  };
}
