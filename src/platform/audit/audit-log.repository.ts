import type { EntityManager } from 'typeorm';
import { idToBytes, newId } from '../ids/uuid.js';

/** One act of an operator: who did what to what (decisions 2.3). */
export interface AuditEntry {
  /** Such as `operator:root`. */
  readonly actor: string;
  /** Noun and verb, such as `key.create`. */
  readonly action: string;
  /** Null when it touches no account. */
  readonly accountId: string | null;
  /** Id or domain it was done to; null when that is the account itself. */
  readonly subject: string | null;
  /** Plain values, never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

const INSERT = `INSERT INTO audit_log (id, at, actor, action, account_id, subject, details)
  VALUES (?, UTC_TIMESTAMP(3), ?, ?, ?, ?, ?)`;

/** Writes an act down in the transaction that does it: neither stands without the other. */
export async function appendAudit(transaction: EntityManager, entry: AuditEntry): Promise<void> {
  const { actor, action, accountId, subject, details } = entry;
  await transaction.query(INSERT, [
    idToBytes(newId()),
    actor.slice(0, 100),
    action,
    accountId === null ? null : idToBytes(accountId),
    subject,
    details === undefined ? null : JSON.stringify(details),
  ]);
}
