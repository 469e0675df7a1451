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
    const [row] = await this.dataSource.sql<{ properties: string; events: string }[]>`
      SELECT (SELECT COUNT(*) FROM properties WHERE account_id = ${id}) AS properties,
        (SELECT COUNT(*) FROM guard_events WHERE account_id = ${id}) AS events`;
    return { properties: Number(row!.properties), 'guard events': Number(row!.events) };
  }

  async erase(accountId: string): Promise<void> {
    for (;;) {
      const deleted = (transaction: EntityManager): Promise<{ affectedRows: number }> => transaction.sql`
        DELETE FROM guard_events WHERE account_id = ${idToBytes(accountId)}
          ORDER BY account_id, sandbox, at, id LIMIT ${AT_ONCE}`;
      const { affectedRows } = await retriedTransaction(this.dataSource, deleted);
      if (affectedRows < AT_ONCE) return;
    }
  }

  async eraseWithin(transaction: EntityManager, accountId: string): Promise<void> {
    await transaction.sql`DELETE FROM properties WHERE account_id = ${idToBytes(accountId)}`;
  }
}
