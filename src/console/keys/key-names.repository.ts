import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';

/** Names of keys, for tables that show them. */
@Injectable()
export class KeyNamesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, the console's own key included; null: the key has no name. */
  async of(accountId: string): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.dataSource.query<{ id: Buffer; name: string | null }[]>(
      'SELECT id, name FROM api_keys WHERE account_id = ?',
      [idToBytes(accountId)],
    );
    return new Map(rows.map(({ id, name }) => [idFromBytes(id), name]));
  }
}
