import type { DataSource, EntityManager } from 'typeorm';
import { appendAudit } from '../platform/audit/audit-log.repository.js';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';
import type { KeyMode } from './api-key.js';
import type { KeyInForce } from './caller-directory.js';
import { PLAN_COLUMNS, toPlan, type PlanRow } from './plan.repository.js';

/** What may be shown of a key after it was made. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly name: string | null;
  readonly lastFour: string;
  /** By the database's clock. A suspended account's keys are `active` all the same, and not in force. */
  readonly status: 'active' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Coarse: up to a minute late. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** The key that a rotation made in place of this one. */
  readonly replacedBy: string | null;
}

/** A key about to be stored: its hash, never itself. */
export interface NewApiKey {
  readonly id: string;
  /** Hex. */
  readonly sha256: string;
  readonly lastFour: string;
}

export type Rotation =
  | { readonly kind: 'rotated'; readonly oldExpiresAt: Date }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended'; readonly status: 'expired' | 'revoked' }
  | { readonly kind: 'replaced'; readonly by: string };

interface ApiKeyRow {
  id: Buffer;
  account_id: Buffer;
  mode: KeyMode;
  name: string | null;
  last_four: string;
  status: ApiKeyRecord['status'];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  replaced_by: Buffer | null;
}

interface KeyInForceRow extends PlanRow {
  sha256: Buffer;
  id: Buffer;
  account_id: Buffer;
  mode: KeyMode;
  /** BIGINT: text. */
  remaining_ms: string | number | null;
}

const SELECT = `SELECT id, account_id, mode, name, last_four, created_at, expires_at, last_used_at, revoked_at, replaced_by,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= UTC_TIMESTAMP(3) THEN 'expired' ELSE 'active' END AS status
  FROM api_keys`;

/** One indexed read of three rows by their keys; what it leaves out is not in force. */
const SELECT_IN_FORCE = `SELECT k.sha256, k.id, k.account_id, k.mode,
    TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), k.expires_at) DIV 1000 AS remaining_ms,
    ${PLAN_COLUMNS}
  FROM api_keys k JOIN accounts a ON a.id = k.account_id JOIN plans p ON p.name = a.plan
  WHERE k.sha256 IN (?) AND k.revoked_at IS NULL AND a.suspended_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > UTC_TIMESTAMP(3))`;

const INSERT = `INSERT INTO api_keys (id, account_id, mode, name, sha256, last_four, created_at)
  SELECT ?, a.id, ?, ?, ?, ?, UTC_TIMESTAMP(3) FROM accounts a WHERE a.id = ?`;

/** API keys, by id and by hash. Every change is written to the audit log in its own transaction. */
export class ApiKeyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The keys in force among these hashes (hex). */
  async findInForce(hashes: readonly string[]): Promise<ReadonlyMap<string, KeyInForce>> {
    const rows = await this.dataSource.query<KeyInForceRow[]>(SELECT_IN_FORCE, [
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    ]);
    return new Map(rows.map((row) => [row.sha256.toString('hex'), toKeyInForce(row)]));
  }

  /**
   * Notes that these keys were used just now, each in a statement of its own: one over many rows would lock them all
   * for as long as it runs, and scan the table when it is small.
   */
  async noteUse(keyIds: readonly string[]): Promise<void> {
    for (const id of keyIds) {
      await this.dataSource.query(
        `UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3)
          WHERE id = ? AND (last_used_at IS NULL OR last_used_at < UTC_TIMESTAMP(3) - INTERVAL 50 SECOND)`,
        [idToBytes(id)],
      );
    }
  }

  async findById(id: string): Promise<ApiKeyRecord | null> {
    const [row] = await this.dataSource.query<ApiKeyRow[]>(`${SELECT} WHERE id = ?`, [idToBytes(id)]);
    return row === undefined ? null : toRecord(row);
  }

  /** Oldest first, those no longer in force included. */
  async listOf(accountId: string): Promise<ApiKeyRecord[]> {
    const rows = await this.dataSource.query<ApiKeyRow[]>(`${SELECT} WHERE account_id = ? ORDER BY id`, [
      idToBytes(accountId),
    ]);
    return rows.map(toRecord);
  }

  /**
   * False when there is no such account.
   * @param beforeCommit where it rejects, no key is stored
   */
  insert(
    key: NewApiKey & { readonly accountId: string; readonly mode: KeyMode; readonly name: string | null },
    actor: string,
    beforeCommit: () => Promise<void>,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      if (!(await insertKey(transaction, key))) return false;
      const { accountId, id: subject, mode, lastFour } = key;
      const details = { mode, last_four: lastFour };
      await appendAudit(transaction, { actor, action: 'key.create', accountId, subject, details });
      await beforeCommit();
      return true;
    });
  }

  /**
   * Puts a successor beside a key and lets the old one expire after the grace period, or when it would have anyway. The
   * old key's row is locked, so that two rotations of it make one successor.
   * @param beforeCommit where it rejects, nothing is changed
   */
  rotate(
    id: string,
    successor: NewApiKey,
    graceSeconds: number,
    actor: string,
    beforeCommit: (oldExpiresAt: Date) => Promise<void>,
  ): Promise<Rotation> {
    return this.dataSource.transaction(async (transaction): Promise<Rotation> => {
      const [row] = await transaction.query<ApiKeyRow[]>(`${SELECT} WHERE id = ? FOR UPDATE`, [idToBytes(id)]);
      if (row === undefined) return { kind: 'unknown' };
      const old = toRecord(row);
      if (old.replacedBy !== null) return { kind: 'replaced', by: old.replacedBy };
      if (old.status !== 'active') return { kind: 'ended', status: old.status };
      const { accountId, mode, name } = old;
      await insertKey(transaction, { ...successor, accountId, mode, name });
      const end = 'UTC_TIMESTAMP(3) + INTERVAL ? SECOND';
      await transaction.query(
        `UPDATE api_keys SET replaced_by = ?, expires_at = IF(expires_at < ${end}, expires_at, ${end}) WHERE id = ?`,
        [idToBytes(successor.id), graceSeconds, graceSeconds, idToBytes(id)],
      );
      const details = { successor: successor.id, last_four: successor.lastFour, grace_seconds: graceSeconds };
      await appendAudit(transaction, { actor, action: 'key.rotate', accountId, subject: id, details });
      const [ended] = await transaction.query<{ expires_at: Date }[]>('SELECT expires_at FROM api_keys WHERE id = ?', [
        idToBytes(id),
      ]);
      await beforeCommit(ended!.expires_at);
      return { kind: 'rotated', oldExpiresAt: ended!.expires_at };
    });
  }

  /** When it was revoked, now or before; null when there is no such key. */
  revoke(id: string, actor: string): Promise<Date | null> {
    return this.dataSource.transaction(async (transaction) => {
      const [key] = await transaction.query<{ account_id: Buffer; revoked_at: Date | null }[]>(
        'SELECT account_id, revoked_at FROM api_keys WHERE id = ? FOR UPDATE',
        [idToBytes(id)],
      );
      if (key === undefined) return null;
      if (key.revoked_at !== null) return key.revoked_at;
      await transaction.query('UPDATE api_keys SET revoked_at = UTC_TIMESTAMP(3) WHERE id = ?', [idToBytes(id)]);
      const accountId = idFromBytes(key.account_id);
      await appendAudit(transaction, { actor, action: 'key.revoke', accountId, subject: id });
      const [revoked] = await transaction.query<{ revoked_at: Date }[]>(
        'SELECT revoked_at FROM api_keys WHERE id = ?',
        [idToBytes(id)],
      );
      return revoked!.revoked_at;
    });
  }
}

async function insertKey(
  transaction: EntityManager,
  key: NewApiKey & { readonly accountId: string; readonly mode: KeyMode; readonly name: string | null },
): Promise<boolean> {
  const { affectedRows } = await transaction.query(INSERT, [
    idToBytes(key.id),
    key.mode,
    key.name,
    Buffer.from(key.sha256, 'hex'),
    key.lastFour,
    idToBytes(key.accountId),
  ]);
  return affectedRows === 1;
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

function toRecord(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: idFromBytes(row.id),
    accountId: idFromBytes(row.account_id),
    mode: row.mode,
    name: row.name,
    lastFour: row.last_four,
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    replacedBy: row.replaced_by === null ? null : idFromBytes(row.replaced_by),
  };
}
