import type { DataSource, EntityManager } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { idToBytes, newId } from '../ids/uuid.js';
import { AuditEntryEntity } from './audit-entry.entity.js';

/** Who acts: an operator by name, such as `operator:root`, or a user of the console and the client's IP address. */
export type Actor = string | { readonly name: string; readonly address: string | null };

/** One act of an operator or of a user of the console (decisions 2.3). */
export interface AuditEntry {
  readonly actor: Actor;
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
  const { name, address } = typeof actor === 'string' ? { name: actor, address: null } : actor;
  await transaction.insert(AuditEntryEntity, {
    ...rest,
    id: newId(),
    at: databaseNow,
    actor: name.slice(0, MAX_ACTOR),
    address,
    details,
  });
}

const AT_ONCE = 1000;

/** Clears the subject, details and client address of every act on a deleted account. */
export async function forgetSubjects(dataSource: DataSource, accountId: string): Promise<void> {
  for (;;) {
    const { affectedRows } = await dataSource.sql<{ affectedRows: number }>`
      UPDATE audit_log SET subject = NULL, details = NULL, address = NULL
        WHERE account_id = ${idToBytes(accountId)} AND (subject IS NOT NULL OR details IS NOT NULL
          OR address IS NOT NULL) LIMIT ${AT_ONCE}`;
    if (affectedRows < AT_ONCE) return;
  }
}
