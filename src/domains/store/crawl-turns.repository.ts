import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainFacts } from '../domain-facts.js';
import type { JudgedDomain } from '../judge-domain.js';
import { CRAWL_AGAIN_SECONDS } from './domains.repository.js';
import { readDomainFacts, writeDomainFacts } from './facts-text.js';
import { inMs, NOW } from '../../platform/database/database-now.js';

/** A domain whose crawl has started. */
export interface CrawlTurn {
  readonly facts: DomainFacts | null;
  /** Names of the open parts, as stored. */
  readonly openParts: string;
  readonly attempts: number;
  /** Consecutive runs without an outcome, including this one. */
  readonly begun: number;
  /** Milliseconds since all parts were last queried; null: never. */
  readonly ageMs: number | null;
}

export interface CrawlRecord {
  readonly facts: DomainFacts | null;
  readonly judgement: JudgedDomain | null;
  readonly openParts: readonly string[];
  readonly attempts: number;
  /** All parts were queried: the next crawl is in a week. */
  readonly whole: boolean;
  /** Time until the next run. */
  readonly nextMs: number;
}

interface TurnRow {
  facts: unknown;
  open_parts: string;
  attempts: number;
  begun: number;
  age: string | number | null;
}

/** A worker's lease on a domain. */
@Injectable()
export class CrawlTurnsRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {}

  /** @returns null if it is not due, or nobody requests it any more */
  async beginCrawl(domain: string): Promise<CrawlTurn | null> {
    const { now } = this;
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      UPDATE domains SET begun = begun + 1, queue_at = ${() => now} + INTERVAL ${CRAWL_AGAIN_SECONDS} SECOND
        WHERE domain = ${domain} AND due_at <= ${() => now}`;
    if (affectedRows === 0) return null;
    const [row] = await this.dataSource.sql<TurnRow[]>`
      SELECT facts, open_parts, attempts, begun, TIMESTAMPDIFF(MICROSECOND, crawled_at, ${() => now}) AS age
        FROM domains WHERE domain = ${domain}`;
    if (row === undefined) return null;
    const { facts, open_parts: openParts, attempts, begun, age } = row;
    return {
      facts: readDomainFacts(domain, facts),
      openParts,
      attempts,
      begun,
      ageMs: age === null ? null : Number(age) / 1000,
    };
  }

  /** Stores the outcome of a run. A domain deleted meanwhile stays deleted. */
  async record(domain: string, { facts, judgement, openParts, attempts, whole, nextMs }: CrawlRecord): Promise<void> {
    const { now } = this;
    const next = inMs(nextMs, now);
    await this.dataSource.sql`
      UPDATE domains SET facts = ${facts === null ? null : writeDomainFacts(facts)},
        judgement = ${judgement === null ? null : JSON.stringify(judgement)}, open_parts = ${openParts.join(',')},
        attempts = ${attempts}, begun = 0, crawled_at = IF(${whole}, ${() => now}, crawled_at),
          due_at = ${() => next}, queue_at = ${() => next} WHERE domain = ${domain}`;
  }

  /** Ends a run without an outcome: the domain is due again now. */
  async release(domain: string): Promise<void> {
    await this.dataSource.sql`
      UPDATE domains SET begun = IF(begun > 0, begun - 1, 0), queue_at = ${() => this.now} WHERE domain = ${domain}`;
  }

  /** Postpones a domain, whatever parts are open. */
  async postpone(domain: string, ms: number): Promise<void> {
    const at = inMs(ms, this.now);
    await this.dataSource.sql`
      UPDATE domains SET begun = 0, due_at = ${() => at}, queue_at = ${() => at} WHERE domain = ${domain}`;
  }
}
