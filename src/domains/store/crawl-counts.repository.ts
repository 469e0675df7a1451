import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isLockConflict } from '../../platform/database/database-errors.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { DOMAINS_NOW } from './domains.repository.js';

/** Of the column: what an unlimited plan allows. */
const MAX_USED = 4_294_967_295;
/** Two that make the first row of a day may be in each other's way. */
const MAX_TRIES = 3;

/** How many crawls accounts cause in a day: of domains that nobody asked for before, or not for so long that they sleep. */
@Injectable()
export class CrawlCountsRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = DOMAINS_NOW,
  ) {}

  /**
   * Counts the crawls that asking for these domains will cause, as far as the plans allow. Each count is one statement: nothing
   * is read that could be old when it is written.
   * @param asked domains, and the account that asks for each
   * @returns those that are not to be crawled
   */
  async admit(asked: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
    const refused = new Set<string>();
    const wanted = await this.withoutCrawl(asked);
    if (wanted.size === 0) return refused;
    const limits = await this.limitsOf([...wanted.keys()]);
    for (const [account, domains] of wanted) {
      const taken = await this.take(account, domains.length, limits.get(account) ?? 0);
      for (const domain of domains.slice(taken)) refused.add(domain);
    }
    return refused;
  }

  /** Forgets the days before today. */
  async forgetPast(): Promise<void> {
    await this.dataSource.query(`DELETE FROM crawl_counts WHERE day < DATE(${this.now})`);
  }

  /** Forgets the counts of an account that is deleted. */
  async erase(accountId: string): Promise<void> {
    await this.dataSource.query('DELETE FROM crawl_counts WHERE account_id = ?', [idToBytes(accountId)]);
  }

  /** By account, those that no crawl is or will be due of. */
  private async withoutCrawl(asked: ReadonlyMap<string, string>): Promise<Map<string, string[]>> {
    const rows = await this.dataSource.query<{ domain: string }[]>(
      'SELECT domain FROM domains WHERE domain IN (?) AND due_at IS NOT NULL',
      [[...asked.keys()]],
    );
    const awake = new Set(rows.map(({ domain }) => domain));
    const wanted = new Map<string, string[]>();
    for (const [domain, account] of asked) {
      if (awake.has(domain)) continue;
      const others = wanted.get(account);
      if (others === undefined) wanted.set(account, [domain]);
      else others.push(domain);
    }
    return wanted;
  }

  private async limitsOf(accounts: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.dataSource.query<{ id: Buffer; crawls_per_day: number | null }[]>(
      'SELECT a.id, p.crawls_per_day FROM accounts a JOIN plans p ON p.name = a.plan WHERE a.id IN (?)',
      [accounts.map(idToBytes)],
    );
    return new Map(rows.map(({ id, crawls_per_day: limit }) => [idFromBytes(id), limit ?? MAX_USED]));
  }

  /** @returns how many of the wanted ones were counted */
  private async take(account: string, wanted: number, limit: number): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      try {
        // What LAST_INSERT_ID was last given comes back with the statement's own reply, whoever writes the row meanwhile.
        const { insertId } = await this.dataSource.query<{ insertId: number | string }>(
          `INSERT INTO crawl_counts (account_id, day, used) VALUES (?, DATE(${this.now}), LAST_INSERT_ID(LEAST(?, ?)))
            ON DUPLICATE KEY UPDATE used = used + LAST_INSERT_ID(IF(used < ?, LEAST(?, ? - used), 0))`,
          [idToBytes(account), wanted, limit, limit, wanted, limit],
        );
        return Number(insertId);
      } catch (error) {
        if (tries === MAX_TRIES || !isLockConflict(error)) throw error;
      }
    }
  }
}
