import type { DataSource, EntityManager } from 'typeorm';
import type { AccountData } from '../auth/deletion/account-data.repository.js';
import { idToBytes } from '../platform/ids/uuid.js';

const AT_ONCE = 500;

/** Endpoints and deliveries of an account that is deleted. */
export class AccountWebhooksRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  async count(accountId: string): Promise<Readonly<Record<string, number>>> {
    const [row] = await this.dataSource.sql<{ n: string }[]>`
      SELECT COUNT(*) AS n FROM webhook_endpoints WHERE account_id = ${idToBytes(accountId)} AND deleted_at IS NULL`;
    return { webhooks: Number(row!.n) };
  }

  async erase(accountId: string): Promise<void> {
    for (;;) {
      const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
        DELETE FROM webhook_deliveries WHERE account_id = ${idToBytes(accountId)} LIMIT ${AT_ONCE}`;
      if (affectedRows < AT_ONCE) return;
    }
  }

  async eraseWithin(transaction: EntityManager, accountId: string): Promise<void> {
    await transaction.sql`DELETE FROM webhook_endpoints WHERE account_id = ${idToBytes(accountId)}`;
  }
}
