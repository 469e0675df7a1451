import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import type { AcceptedAt } from '../../engine/smtp/accepted-recipients.js';
import { askPool } from '../../platform/database/ask-pool.js';
import { NOW } from '../../platform/database/database-now.js';
import { sqlValue } from '../../platform/database/statement.js';

/** How long an acceptance counts as evidence (decisions 6.12). */
const LIFE_DAYS = 7;
const MAX_EGRESS = 255;

/** The mail host and egress at which a recipient of a domain was last accepted. Stores no address. */
@Injectable()
export class AcceptedRecipientsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Milliseconds since the last acceptance; null if none is known. @throws AppError `service_unavailable` */
  async ageMs({ domain, host, egressId }: AcceptedAt): Promise<number | null> {
    const rows = await askPool<{ age: string }[]>(
      this.dataSource,
      `SELECT TIMESTAMPDIFF(MICROSECOND, accepted_at, UTC_TIMESTAMP(3)) / 1000 AS age FROM accepted_recipients WHERE domain = ? AND host = ? AND egress = ?
        AND accepted_at > UTC_TIMESTAMP(3) - INTERVAL ${LIFE_DAYS} DAY`,
      [domain, host, egressId.slice(0, MAX_EGRESS)],
    );
    return rows[0] === undefined ? null : Number(rows[0].age);
  }

  /** One statement, which locks the rows in a fixed order. */
  async store(accepted: readonly AcceptedAt[]): Promise<void> {
    if (accepted.length === 0) return;
    const keys = accepted.map(({ domain, host, egressId }) => [domain, host, egressId.slice(0, MAX_EGRESS)]);
    const ordered = keys.toSorted((one, other) => (one.join(' ') < other.join(' ') ? -1 : 1));
    await this.dataSource.sql`
      INSERT INTO accepted_recipients (domain, host, egress, accepted_at)
        VALUES ${ordered.map((key) => [...key, sqlValue(NOW)])}
        ON DUPLICATE KEY UPDATE accepted_at = VALUES(accepted_at)`;
  }

  /** Deletes what is known of a domain. */
  async purgeWithin(manager: EntityManager, domain: string): Promise<void> {
    await manager.sql`DELETE FROM accepted_recipients WHERE domain = ${domain}`;
  }

  /** Deletes up to `limit` expired rows. @returns the number deleted */
  @PurgeEvery(10 * 60_000, 'delete-expired-accepted-recipients')
  async deleteExpired(limit: number): Promise<number> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      DELETE FROM accepted_recipients WHERE accepted_at <= UTC_TIMESTAMP(3) - INTERVAL ${LIFE_DAYS} DAY
        ORDER BY accepted_at LIMIT ${limit}`;
    return affectedRows;
  }
}
