import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';

export interface SealedSecret {
  readonly id: string;
  readonly secret: Buffer;
}

/** The secrets of all endpoints, also of those that are off. */
@Injectable()
export class SealedSecretsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param after id of the last endpoint of the page before; null: the first page */
  async page(after: string | null, limit: number): Promise<SealedSecret[]> {
    const rows = await this.dataSource.sql<{ id: Buffer; secret: Buffer }[]>`
      SELECT id, secret FROM webhook_endpoints WHERE id > ${after === null ? Buffer.alloc(0) : idToBytes(after)}
        AND deleted_at IS NULL ORDER BY id LIMIT ${limit}`;
    return rows.map(({ id, secret }) => ({ id: idFromBytes(id), secret }));
  }

  /** Leaves one that was rotated meanwhile. */
  async replace({ id, secret }: SealedSecret, by: Buffer): Promise<void> {
    await this.dataSource.sql`
      UPDATE webhook_endpoints SET secret = ${by} WHERE id = ${idToBytes(id)} AND secret = ${secret}`;
  }
}
