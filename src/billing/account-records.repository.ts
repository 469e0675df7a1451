import type { DataSource } from 'typeorm';
import type { AccountData } from '../auth/deletion/account-data.repository.js';
import { retriedTransaction } from '../platform/database/retried-transaction.js';
import { idToBytes } from '../platform/ids/uuid.js';

const AT_ONCE = 1000;

/** Deletes call records of a deleted account: stored answers, which contain addresses, and decision counts. */
export class AccountRecordsRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  async erase(accountId: string): Promise<void> {
    const id = idToBytes(accountId);
    await this.dataSource.sql`DELETE FROM decision_counts WHERE account_id = ${id}`;
    for (let last = '0'; ;) {
      // No index on the account: scan all records in pages, so that no statement runs long.
      const rows = await this.dataSource.sql<{ id: string; account_id: Buffer }[]>`
        SELECT id, account_id FROM idempotency_records WHERE id > ${last} ORDER BY id LIMIT ${AT_ONCE}`;
      const own = rows.filter(({ account_id }) => account_id.equals(id));
      if (own.length > 0) await this.deleteAnswers(own.map((row) => Number(row.id)));
      if (rows.length < AT_ONCE) return;
      last = rows.at(-1)!.id;
    }
  }

  private deleteAnswers(ids: readonly number[]): Promise<void> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      // Delete by primary key: a scan of a small table would wait for the locks of running calls.
      await transaction.sql`DELETE r FROM idempotency_records AS r FORCE INDEX (PRIMARY) WHERE r.id IN (${ids})`;
    });
  }
}
