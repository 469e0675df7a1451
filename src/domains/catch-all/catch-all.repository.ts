import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { ReadBatcher } from '../../platform/batching/read-batcher.js';
import { askPool } from '../../platform/database/ask-pool.js';

/** Decisions 6.7. */
const LIFE_DAYS = 30;

/** A join for queries on domains: when the domain was last found to be a catch-all, if it is known as one. */
export const CATCH_ALL_BESIDE = {
  column: 'catch_all_domains.checked_at AS catch_all_at',
  join: (domain: string): string =>
    `LEFT JOIN catch_all_domains ON catch_all_domains.domain = ${domain} AND catch_all_domains.expires_at > UTC_TIMESTAMP(3)`,
} as const;

/** Domains found to accept every recipient (row 8 of decisions 5.1). */
@Injectable()
export class CatchAllRepository {
  private readonly living: ReadBatcher<Date>;

  constructor(private readonly dataSource: DataSource) {
    this.living = new ReadBatcher((domains) => this.readLiving(domains));
  }

  /**
   * When each of these domains was last found to be a catch-all; others are left out.
   * @param domains A-labels, lowercase
   * @throws AppError `service_unavailable`
   */
  findCatchAlls(domains: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    return this.living.read(domains);
  }

  /** @param at time of the finding, now at the latest: a process's clock may be ahead; a later finding stands */
  async learnWithin(manager: EntityManager, domain: string, at: Date): Promise<void> {
    await manager.sql`INSERT INTO catch_all_domains (domain, checked_at, expires_at)
      VALUES (${domain}, LEAST(${at}, UTC_TIMESTAMP(3)), LEAST(${at}, UTC_TIMESTAMP(3)) + INTERVAL ${LIFE_DAYS} DAY)
      ON DUPLICATE KEY UPDATE expires_at = GREATEST(expires_at, VALUES(expires_at)),
        checked_at = GREATEST(checked_at, VALUES(checked_at))`;
  }

  /** Records that the domain rejects unknown mailboxes. @param at time of the finding; a later finding stands */
  async unlearnWithin(manager: EntityManager, domain: string, at: Date): Promise<void> {
    await manager.sql`DELETE FROM catch_all_domains WHERE domain = ${domain} AND checked_at <= ${at}`;
  }

  /** Deletes what is known of a domain. */
  async purgeWithin(manager: EntityManager, domain: string): Promise<void> {
    await manager.sql`DELETE FROM catch_all_domains WHERE domain = ${domain}`;
  }

  /** Deletes up to `limit` expired rows. @returns the number deleted */
  @PurgeEvery(10 * 60_000, 'delete-expired-catch-alls')
  async deleteExpired(limit: number): Promise<number> {
    const rows = await this.dataSource.sql<{ domain: string }[]>`
      SELECT domain FROM catch_all_domains WHERE expires_at <= UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ${limit}`;
    if (rows.length > 0) {
      // Delete by primary key; rows renewed meanwhile stay.
      await this.dataSource.sql`DELETE c FROM catch_all_domains AS c FORCE INDEX (PRIMARY)
        WHERE c.domain IN (${rows.map(({ domain }) => domain)}) AND c.expires_at <= UTC_TIMESTAMP(3)`;
    }
    return rows.length;
  }

  private async readLiving(domains: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const rows = await askPool<{ domain: string; checked_at: Date }[]>(
      this.dataSource,
      'SELECT domain, checked_at FROM catch_all_domains WHERE domain IN (?) AND expires_at > UTC_TIMESTAMP(3)',
      [domains],
    );
    return new Map(rows.map(({ domain, checked_at }) => [domain, checked_at]));
  }
}
