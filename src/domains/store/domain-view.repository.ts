import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainFacts } from '../domain-facts.js';
import { DOMAINS_NOW, QUEUE_AGAIN_SECONDS } from './domains.repository.js';
import { readDomainFacts } from './facts-text.js';

/** A domain as a person looks at it. */
export interface DomainView {
  /** Null until it was crawled. */
  readonly facts: DomainFacts | null;
  readonly crawledAt: Date | null;
  /** A crawl is due or under way. */
  readonly isDue: boolean;
}

interface ViewRow {
  facts: unknown;
  crawled_at: Date | null;
  is_due: number | string | null;
}

/** A crawl that ended less than this ago is not made again. */
const FRESH_SECONDS = 60;

/** Domains for the console: how their crawl is, and crawls out of turn. */
@Injectable()
export class DomainViewRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = DOMAINS_NOW,
  ) {}

  /** Null: nobody asked for it before. */
  async find(domain: string): Promise<DomainView | null> {
    const [row] = await this.dataSource.query<ViewRow[]>(
      `SELECT facts, crawled_at, due_at <= ${this.now} AS is_due FROM domains WHERE domain = ?`,
      [domain],
    );
    if (row === undefined) return null;
    const { facts, crawled_at: crawledAt, is_due } = row;
    return { facts: readDomainFacts(domain, facts), crawledAt, isDue: Number(is_due ?? 0) === 1 };
  }

  /**
   * Makes a domain due whose next crawl would come later. One that was crawled a moment ago stays as it is.
   * @returns false: there is nothing to do
   */
  async crawlNow(domain: string): Promise<boolean> {
    const { affectedRows } = await this.dataSource.query<{ affectedRows: number }>(
      `UPDATE domains SET asked_at = ${this.now}, due_at = ${this.now},
          queue_at = ${this.now} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND
        WHERE domain = ? AND (due_at IS NULL OR due_at > ${this.now})
          AND (crawled_at IS NULL OR crawled_at < ${this.now} - INTERVAL ${FRESH_SECONDS} SECOND)`,
      [domain],
    );
    return affectedRows === 1;
  }
}
