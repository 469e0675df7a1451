import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { CrawlCountsRepository } from './crawl-counts.repository.js';
import { QUEUE_AGAIN_SECONDS } from './domains.repository.js';

/** A crawl that ended less than this ago is not made again. */
const FRESH_SECONDS = 60;

/**
 * Requests crawls that somebody waits for. The domain's row is locked from the request to the account's count: of all
 * requests at the same time one causes the crawl, and it alone counts.
 */
@Injectable()
export class CrawlRequestsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly counts: CrawlCountsRepository,
  ) {}

  /**
   * Makes a domain due that is new, sleeps, or waits for its next turn; only the first two count.
   * @throws AppError `quota_exceeded` if the plan's crawls of the day are used up; the request leaves nothing then
   */
  request(domain: string, account: string): Promise<void> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      await this.lock(transaction, domain);
      if (await this.wake(transaction, domain)) await this.count(transaction, account);
      else await this.bringForward(transaction, domain);
    });
  }

  /** Like `request` for a person, but a domain that waits for its next turn counts, too. */
  requestAgain(domain: string, account: string, actor: Actor): Promise<void> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      await this.lock(transaction, domain);
      const isDue = (await this.wake(transaction, domain)) || (await this.bringForward(transaction, domain));
      if (!isDue) return;
      await this.count(transaction, account);
      await appendAudit(transaction, { actor, action: 'domain.crawl', accountId: account, subject: domain });
    });
  }

  /** Locks the domain's row; a new one sleeps. */
  private async lock(transaction: EntityManager, domain: string): Promise<void> {
    await transaction.sql`INSERT INTO domains (domain, asked_at) VALUES (${domain}, ${() => NOW})
      ON DUPLICATE KEY UPDATE asked_at = GREATEST(asked_at, VALUES(asked_at))`;
  }

  private wake(transaction: EntityManager, domain: string): Promise<boolean> {
    return this.makeDue(transaction, domain, 'due_at IS NULL');
  }

  /** A domain that was crawled a moment ago stays as it is. */
  private bringForward(transaction: EntityManager, domain: string): Promise<boolean> {
    const isOld = `(crawled_at IS NULL OR crawled_at < ${NOW} - INTERVAL ${FRESH_SECONDS} SECOND)`;
    return this.makeDue(transaction, domain, `due_at > ${NOW} AND ${isOld}`);
  }

  private async makeDue(transaction: EntityManager, domain: string, condition: string): Promise<boolean> {
    const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
      UPDATE domains SET due_at = ${() => NOW}, queue_at = ${() => NOW} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND
        WHERE domain = ${domain} AND ${() => condition}`;
    return affectedRows === 1;
  }

  private async count(transaction: EntityManager, account: string): Promise<void> {
    if (await this.counts.admitOneWithin(transaction, account)) return;
    throw new AppError('quota_exceeded', "The plan's crawls of today are used up; they begin again at 0:00 UTC.");
  }
}
