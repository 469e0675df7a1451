import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { CRAWL_AGAIN_SECONDS, QUEUE_AGAIN_SECONDS, type DueDomain } from './domains.repository.js';

/** Decisions 8.1. */
const CRAWL_EVERY_DAYS = 7;
/** A domain that nobody has requested for this long is deleted. */
const KEPT_DAYS = 90;

export interface CrawlBacklog {
  /** Domains whose crawl is due. */
  readonly due: number;
  /** How long the most overdue domain has waited; 0 if there is none. */
  readonly oldestDueSeconds: number;
}

interface DueRow {
  domain: string;
  crawled_at: Date | null;
  unasked: number | string;
}

/** Periodic maintenance that does not depend on Redis. Every statement may safely run twice at once. */
@Injectable()
export class CrawlUpkeepRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {}

  /**
   * Returns due domains that were not queued lately and marks them as queued. A domain crawled long ago and not
   * requested since goes to sleep instead.
   */
  async takeDue(limit: number): Promise<readonly DueDomain[]> {
    const rows = await this.dataSource.sql<DueRow[]>`
      SELECT domain, crawled_at, ${() => this.isUnasked} AS unasked FROM domains WHERE queue_at <= ${() => this.now}
        ORDER BY queue_at LIMIT ${limit}`;
    const [unasked, due] = [true, false].map((asleep) => rows.filter((row) => (Number(row.unasked) === 1) === asleep));
    await this.update(
      unasked,
      `due_at = NULL, queue_at = NULL`,
      // Somebody may have requested it meanwhile.
      `AND ${this.isUnasked}`,
    );
    await this.update(due, `queue_at = ${this.now} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND`, '');
    return (due ?? []).map(({ domain, crawled_at }) => ({ domain, first: crawled_at === null }));
  }

  /** Deletes up to `limit` domains that nobody has requested for 90 days. @returns the number deleted */
  @PurgeEvery(60 * 60_000, 'delete-unasked-domains')
  async deleteUnasked(limit: number): Promise<number> {
    const old = `asked_at <= ${this.now} - INTERVAL ${KEPT_DAYS} DAY`;
    const rows = await this.dataSource.sql<{ domain: string }[]>`
      SELECT domain FROM domains WHERE ${() => old} ORDER BY asked_at LIMIT ${limit}`;
    if (rows.length > 0) {
      // Delete by primary key; rows requested meanwhile stay.
      await this.dataSource.sql`
        DELETE FROM domains WHERE domain IN (${rows.map(({ domain }) => domain)}) AND ${() => old}`;
    }
    return rows.length;
  }

  async backlog(): Promise<CrawlBacklog> {
    // Due domains are queued within this time, so the index can leave out the rest.
    const [row] = await this.dataSource.query<{ due: string | number; oldest: string | number | null }[]>(
      `SELECT COUNT(*) AS due, TIMESTAMPDIFF(SECOND, MIN(due_at), ${this.now}) AS oldest FROM domains
        WHERE queue_at <= ${this.now} + INTERVAL ${CRAWL_AGAIN_SECONDS} SECOND AND due_at <= ${this.now}`,
    );
    return { due: Number(row?.due ?? 0), oldestDueSeconds: Number(row?.oldest ?? 0) };
  }

  private get isUnasked(): string {
    return `(crawled_at IS NOT NULL AND crawled_at <= ${this.now} - INTERVAL ${CRAWL_EVERY_DAYS} DAY
      AND asked_at <= crawled_at)`;
  }

  private async update(rows: readonly DueRow[] | undefined, set: string, condition: string): Promise<void> {
    if (rows === undefined || rows.length === 0) return;
    await this.dataSource.sql`
      UPDATE domains SET ${() => set} WHERE domain IN (${rows.map(({ domain }) => domain).toSorted()})
        AND queue_at <= ${() => this.now} ${() => condition}`;
  }
}
