import type { DataSource, EntityManager } from 'typeorm';
import { appendAudit, forgetSubjects, type Actor } from '../../platform/audit/audit-log.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { AccountData } from './account-data.repository.js';

const ACTION = 'account.delete';

/** Deletes an account's keys, its row, and values in its audit rows. */
export class AccountDeletionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** How long ago it was suspended, by the database's clock; null: it is active, or gone. */
  async suspendedForMs(accountId: string): Promise<number | null> {
    const [row] = await this.dataSource.sql<{ ms: string | null }[]>`
      SELECT TIMESTAMPDIFF(MICROSECOND, suspended_at, UTC_TIMESTAMP(3)) DIV 1000 AS ms FROM accounts
        WHERE id = ${idToBytes(accountId)}`;
    return row === undefined || row.ms === null ? null : Number(row.ms);
  }

  async keys(accountId: string): Promise<number> {
    const [row] = await this.dataSource.sql<{ n: string }[]>`
      SELECT COUNT(*) AS n FROM api_keys WHERE account_id = ${idToBytes(accountId)} AND hidden = 0`;
    return Number(row!.n);
  }

  /**
   * Deletes the account and what must not outlive it in one transaction. After that nothing can be charged to it.
   * @param data in lock order, after the lock of the account's row
   */
  delete(accountId: string, data: readonly Pick<AccountData, 'eraseWithin'>[], actor: Actor): Promise<void> {
    const id = idToBytes(accountId);
    return retriedTransaction(this.dataSource, async (transaction) => {
      if (!(await lock(transaction, id))) return;
      for (const each of data) await each.eraseWithin?.(transaction, accountId);
      await transaction.sql`DELETE FROM api_keys WHERE account_id = ${id}`;
      await transaction.sql`DELETE FROM accounts WHERE id = ${id}`;
      await appendAudit(transaction, { actor, action: ACTION, accountId, subject: null });
    });
  }

  /** Whether the account's row was deleted before. */
  async wasDeleted(accountId: string): Promise<boolean> {
    const rows = await this.dataSource.sql<unknown[]>`
      SELECT 1 FROM audit_log WHERE account_id = ${idToBytes(accountId)} AND action = ${ACTION} LIMIT 1`;
    return rows.length > 0;
  }

  /** The audit log keeps the action, the operator and the time, without values. */
  forgetActs(accountId: string): Promise<void> {
    return forgetSubjects(this.dataSource, accountId);
  }
}

/** False: another process has deleted it. */
async function lock(transaction: EntityManager, id: Buffer): Promise<boolean> {
  const rows = await transaction.sql<unknown[]>`SELECT id FROM accounts WHERE id = ${id} FOR UPDATE`;
  return rows.length > 0;
}
