import type { DataSource, EntityManager } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { idToBytes, newId } from '../ids/uuid.js';
import { AuditEntryEntity } from './audit-entry.entity.js';

/** One act of an operator (decisions 2.3). */
export interface AuditEntry {
  /** Such as `operator:root`. */
  readonly actor: string;
  /** Noun and verb, such as `key.create`. */
  readonly action: string;
  /** Null if it touches no account. */
  readonly accountId: string | null;
  /** The id or domain that the act changes; null: the account itself. */
  readonly subject: string | null;
  /** Plain values, never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

const MAX_ACTOR = 100;

/** Writes the act to the audit log in the transaction that does it. */
export async function appendAudit(transaction: EntityManager, entry: AuditEntry): Promise<void> {
  const { actor, details = null, ...rest } = entry;
  await transaction.insert(AuditEntryEntity, {
    ...rest,
    id: newId(),
    at: databaseNow,
    actor: actor.slice(0, MAX_ACTOR),
    details,
  });
}

const AT_ONCE = 1000;

/** Clears the subject and details of every act on a deleted account. */
export async function forgetSubjects(dataSource: DataSource, accountId: string): Promise<void> {
  for (;;) {
    const { affectedRows } = await dataSource.query<{ affectedRows: number }>(
      `UPDATE audit_log SET subject = NULL, details = NULL
        WHERE account_id = ? AND (subject IS NOT NULL OR details IS NOT NULL) LIMIT ${AT_ONCE}`,
      [idToBytes(accountId)],
    );
    if (affectedRows < AT_ONCE) return;
  }
}
