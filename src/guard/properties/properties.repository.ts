import type { DataSource } from 'typeorm';
import { appendAudit } from '../../platform/audit/audit-log.repository.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';

export interface Property {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly createdAt: Date;
}

interface PropertyRow {
  id: Buffer;
  property_key: string;
  name: string;
  created_at: Date;
}

export class PropertiesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** False when there is no such account. */
  insert(accountId: string, { key, name }: Pick<Property, 'key' | 'name'>, actor: string): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      const { affectedRows } = await transaction.query<{ affectedRows: number }>(
        `INSERT INTO properties (id, account_id, property_key, name, created_at)
          SELECT ?, id, ?, ?, UTC_TIMESTAMP(3) FROM accounts WHERE id = ?`,
        [idToBytes(newId()), key, name, idToBytes(accountId)],
      );
      if (affectedRows === 0) return false;
      await appendAudit(transaction, { actor, action: 'property.create', accountId, subject: key, details: { name } });
      return true;
    });
  }

  /** Oldest first. */
  async list(accountId: string): Promise<Property[]> {
    const rows = await this.dataSource.query<PropertyRow[]>(
      'SELECT id, property_key, name, created_at FROM properties WHERE account_id = ? ORDER BY id',
      [idToBytes(accountId)],
    );
    return rows.map(toProperty);
  }

  /** Ids of those of the account that have one of these keys, by their keys. */
  async find(accountId: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (keys.length === 0) return new Map();
    const rows = await this.dataSource.query<PropertyRow[]>(
      'SELECT id, property_key FROM properties WHERE account_id = ? AND property_key IN (?)',
      [idToBytes(accountId), keys],
    );
    return new Map(rows.map(({ id, property_key }) => [property_key, idFromBytes(id)]));
  }
}

function toProperty({ id, property_key, name, created_at }: PropertyRow): Property {
  return { id: idFromBytes(id), key: property_key, name, createdAt: created_at };
}
