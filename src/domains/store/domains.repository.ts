import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { ReadBatcher } from '../../platform/batching/read-batcher.js';
import { askPool } from '../../platform/database/ask-pool.js';
import { retryLockConflicts } from '../../platform/database/retry-lock-conflicts.js';
import type { DomainFacts } from '../domain-facts.js';
import { readDomainFacts } from './facts-text.js';
import { sqlValue } from '../../platform/database/statement.js';

/** A job not started for this long is lost in Redis, or waits behind many others. */
export const QUEUE_AGAIN_SECONDS = 30;
/** A crawl started this long ago without an outcome counts as dead. */
export const CRAWL_AGAIN_SECONDS = 300;

/** The stored state of a requested domain. */
export interface StoredDomain {
  /** null until crawled. */
  readonly facts: DomainFacts | null;
}

/** A domain whose crawl is due. */
export interface DueDomain {
  readonly domain: string;
  /** True if never crawled. */
  readonly first: boolean;
}

/** Looks up and requests domains, for calls. */
@Injectable()
export class DomainsRepository {
  private readonly stored: ReadBatcher<StoredDomain>;

  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {
    this.stored = new ReadBatcher((domains) => this.readStored(domains));
  }

  /**
   * The domains among these that were requested before.
   * @param domains A-labels, lowercase
   * @throws AppError `service_unavailable`
   */
  find(domains: readonly string[]): Promise<ReadonlyMap<string, StoredDomain>> {
    return this.stored.read(domains);
  }

  /**
   * Requests these domains: inserts missing rows and makes sleeping domains due.
   * @returns the due domains
   */
  async ask(domains: readonly string[]): Promise<readonly DueDomain[]> {
    // A fixed order prevents deadlocks between calls that request the same domains.
    const ordered = domains.toSorted();
    await retryLockConflicts(() => this.insert(ordered));
    const rows = await this.dataSource.sql<{ domain: string; crawled_at: Date | null }[]>`
      SELECT domain, crawled_at FROM domains WHERE domain IN (${ordered}) AND due_at <= ${() => this.now}`;
    return rows.map(({ domain, crawled_at }) => ({ domain, first: crawled_at === null }));
  }

  private async insert(domains: readonly string[]): Promise<void> {
    const now = sqlValue(this.now);
    const queueAt = sqlValue(`${this.now} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND`);
    // `due_at` comes last: the expressions before it still see whether the row slept.
    await this.dataSource.sql`
      INSERT INTO domains (domain, asked_at, due_at, queue_at) VALUES ${domains.map((domain) => [domain, now, now, queueAt])}
        ON DUPLICATE KEY UPDATE asked_at = GREATEST(asked_at, VALUES(asked_at)),
          queue_at = IF(due_at IS NULL, VALUES(queue_at), queue_at), due_at = IFNULL(due_at, VALUES(due_at))`;
  }

  private async readStored(domains: readonly string[]): Promise<ReadonlyMap<string, StoredDomain>> {
    const rows = await askPool<{ domain: string; facts: unknown }[]>(
      this.dataSource,
      'SELECT domain, facts FROM domains WHERE domain IN (?)',
      [domains],
    );
    return new Map(rows.map(({ domain, facts }) => [domain, { facts: readDomainFacts(domain, facts) }]));
  }
}
