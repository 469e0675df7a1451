import type { DataSource, EntityManager } from 'typeorm';
import type { AccountData } from '../auth/deletion/account-data.repository.js';
import { retriedTransaction } from '../platform/database/retried-transaction.js';
import { idToBytes } from '../platform/ids/uuid.js';

const AT_ONCE = 1000;

/** Deletes an account's properties and their events. */
export class AccountGuardsRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  async count(accountId: string): Promise<Readonly<Record<string, number>>> {
    const id = idToBytes(accountId);
    const [row] = await this.dataSource.query<{ properties: string; events: string }[]>(
      `SELECT (SELECT COUNT(*) FROM properties WHERE account_id = ?) AS properties,
          (SELECT COUNT(*) FROM guard_events WHERE account_id = ?) AS events`,
      [id, id],
    );
    return { properties: Number(row!.properties), 'guard events': Number(row!.events) };
  }

  async erase(accountId: string): Promise<void> {
    for (;;) {
      const { affectedRows } = await retriedTransaction(this.dataSource, (transaction) =>
        transaction.query<{ affectedRows: number }>(
          `DELETE FROM guard_events WHERE account_id = ? ORDER BY account_id, sandbox, at, id LIMIT ${AT_ONCE}`,
          [idToBytes(accountId)],
        ),
      );
      if (affectedRows < AT_ONCE) return;
    }
  }

  async eraseWithin(transaction: EntityManager, accountId: string): Promise<void> {
    await transaction.query('DELETE FROM properties WHERE account_id = ?', [idToBytes(accountId)]);
  }
}
