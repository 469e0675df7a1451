import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readJson } from '../../platform/database/read-json.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';

interface ActRow {
  action: string;
  subject: string;
  actor: string;
  details: { successor?: string } | string | null;
}

/** Who made the keys of an account, as the audit log says. */
@Injectable()
export class KeyAuthorsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Names by the id of the key: of users, or `operator`. */
  async of(accountId: string): Promise<ReadonlyMap<string, string>> {
    const acts = await this.dataSource.sql<ActRow[]>`SELECT action, subject, actor, details FROM audit_log
      WHERE account_id = ${idToBytes(accountId)} AND action IN ('key.create', 'key.rotate') AND subject IS NOT NULL`;
    const names = await this.namesOf(acts.map(({ actor }) => userIdIn(actor)).filter((id) => id !== null));
    return new Map(
      acts.flatMap(({ action, subject, actor, details }) => {
        const key = action === 'key.create' ? subject : readJson(details)?.successor;
        const user = userIdIn(actor);
        const name = user === null ? 'operator' : names.get(user);
        return key === undefined || name === undefined ? [] : [[key, name] as const];
      }),
    );
  }

  private async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.dataSource.sql<{ id: Buffer; name: string }[]>`
      SELECT id, name FROM users WHERE id IN (${[...new Set(userIds)].map(idToBytes)})`;
    return new Map(rows.map(({ id, name }) => [idFromBytes(id), name]));
  }
}

function userIdIn(actor: string): string | null {
  return actor.startsWith('user:') ? actor.slice('user:'.length) : null;
}
