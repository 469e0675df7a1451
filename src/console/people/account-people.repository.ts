import type { DataSource, EntityManager } from 'typeorm';
import type { AccountData } from '../../auth/deletion/account-data.repository.js';
import { idToBytes } from '../../platform/ids/uuid.js';

/** Members of an account that is deleted. Users without another account go with it, with sessions and links; operators stay. */
export class AccountPeopleRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  async count(accountId: string): Promise<Readonly<Record<string, number>>> {
    const [row] = await this.dataSource.sql<{ n: string }[]>`
      SELECT COUNT(*) AS n FROM memberships WHERE account_id = ${idToBytes(accountId)}`;
    return { members: Number(row!.n) };
  }

  async eraseWithin(transaction: EntityManager, accountId: string): Promise<void> {
    const account = idToBytes(accountId);
    const members = await transaction.sql<{ user_id: Buffer }[]>`
      SELECT user_id FROM memberships WHERE account_id = ${account} FOR UPDATE`;
    await transaction.sql`DELETE FROM memberships WHERE account_id = ${account}`;
    for (const { user_id: user } of members) {
      await transaction.sql`DELETE FROM users WHERE id = ${user} AND operator = 0
        AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = users.id)`;
    }
    await transaction.sql`UPDATE users SET last_account_id = NULL WHERE last_account_id = ${account}`;
    await transaction.sql`DELETE FROM user_links WHERE account_id = ${account}`;
    await transaction.sql`DELETE FROM invitations WHERE account_id = ${account}`;
  }
}
