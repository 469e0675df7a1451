import { Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { groupBy } from '../../platform/collections/group-by.js';
import { NOW } from '../../platform/database/database-now.js';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { retryLockConflicts } from '../../platform/database/retry-lock-conflicts.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';

/** The column's maximum: the limit of an unlimited plan. */
const MAX_USED = 4_294_967_295;

/** Daily crawl counts of accounts: crawls of domains that nobody requested before, or that sleep. */
@Injectable()
export class CrawlCountsRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {}

  /**
   * Counts the crawls that requests for these domains will cause, within the plans' limits. Each count is one
   * statement, so it never writes a stale value.
   * @param asked domains, each with the account that requests it
   * @returns domains that must not be crawled
   */
  async admit(asked: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
    const refused = new Set<string>();
    const wanted = await this.withoutCrawl(asked);
    if (wanted.size === 0) return refused;
    const limits = await limitsOf(this.dataSource, [...wanted.keys()]);
    for (const [account, domains] of wanted) {
      // Concurrent inserts of a day's first row may conflict.
      const taken = await retryLockConflicts(() =>
        this.take(this.dataSource, account, domains.length, limits.get(account) ?? 0),
      );
      for (const domain of domains.slice(taken)) refused.add(domain);
    }
    return refused;
  }

  /** Counts one more crawl of an account, within its plan's limit. @returns false: none is left */
  async admitOneWithin(transaction: EntityManager, account: string): Promise<boolean> {
    const limits = await limitsOf(transaction, [account]);
    return (await this.take(transaction, account, 1, limits.get(account) ?? 0)) === 1;
  }

  /** Deletes up to `limit` counts of past days. @returns the number deleted */
  @PurgeEvery(60 * 60_000, 'delete-past-crawl-counts')
  async deletePast(limit: number): Promise<number> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      DELETE FROM crawl_counts WHERE day < DATE(${() => this.now}) LIMIT ${limit}`;
    return affectedRows;
  }

  /** Deletes the counts of a deleted account. */
  async erase(accountId: string): Promise<void> {
    await this.dataSource.sql`DELETE FROM crawl_counts WHERE account_id = ${idToBytes(accountId)}`;
  }

  /** Domains without a due or scheduled crawl, by account. */
  private async withoutCrawl(asked: ReadonlyMap<string, string>): Promise<Map<string, string[]>> {
    const rows = await this.dataSource.sql<{ domain: string }[]>`
      SELECT domain FROM domains WHERE domain IN (${[...asked.keys()]}) AND due_at IS NOT NULL`;
    const awake = new Set(rows.map(({ domain }) => domain));
    const asleep = [...asked.keys()].filter((domain) => !awake.has(domain));
    return groupBy(asleep, (domain) => asked.get(domain)!);
  }

  /** @returns how many of the wanted crawls were counted */
  private async take(
    database: DataSource | EntityManager,
    account: string,
    wanted: number,
    limit: number,
  ): Promise<number> {
    // The statement's own reply carries LAST_INSERT_ID(...), so concurrent writers do not matter.
    const { insertId } = await database.sql<{ insertId: number | string }>`
      INSERT INTO crawl_counts (account_id, day, used)
        VALUES (${idToBytes(account)}, DATE(${() => this.now}), LAST_INSERT_ID(LEAST(${wanted}, ${limit})))
        ON DUPLICATE KEY UPDATE used = used + LAST_INSERT_ID(IF(used < ${limit}, LEAST(${wanted}, ${limit} - used),
          0))`;
    return Number(insertId);
  }
}

async function limitsOf(
  database: DataSource | EntityManager,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.sql<{ id: Buffer; crawls_per_day: number | null }[]>`
    SELECT a.id, p.crawls_per_day FROM accounts a JOIN plans p ON p.name = a.plan
      WHERE a.id IN (${accounts.map(idToBytes)})`;
  return new Map(rows.map(({ id, crawls_per_day: limit }) => [idFromBytes(id), limit ?? MAX_USED]));
}
