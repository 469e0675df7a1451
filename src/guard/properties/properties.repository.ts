import { Injectable } from '@nestjs/common';
import { isAscii } from 'node:buffer';
import { DataSource, In } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { lockAccount, type RequireRoom } from '../../auth/account.repository.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { newId } from '../../platform/ids/uuid.js';
import { PropertyEntity } from './property.entity.js';

@Injectable()
export class PropertiesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns false if there is no such account.
   * @param requireRoom if it rejects, no property is stored
   */
  insert(
    accountId: string,
    { key, name }: { key: string; name: string },
    actor: Actor,
    requireRoom?: RequireRoom,
  ): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      if ((await lockAccount(transaction, accountId)) === null) return false;
      await requireRoom?.(transaction);
      await transaction.insert(PropertyEntity, { id: newId(), accountId, key, name, createdAt: databaseNow });
      await appendAudit(transaction, { actor, action: 'property.create', accountId, subject: key, details: { name } });
      return true;
    });
  }

  /** The properties of an account, oldest first. */
  list(accountId: string): Promise<PropertyEntity[]> {
    return this.dataSource.getRepository(PropertyEntity).find({ where: { accountId }, order: { id: 'ASC' } });
  }

  /** Returns the ids of the account's properties that have one of these keys, by key. */
  async find(accountId: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    // The column is ASCII, and MariaDB compares it with no other text.
    const possible = keys.filter((key) => isAscii(Buffer.from(key)));
    if (possible.length === 0) return new Map();
    const found = await this.dataSource.getRepository(PropertyEntity).findBy({ accountId, key: In(possible) });
    return new Map(found.map(({ key, id }) => [key, id]));
  }
}
