import type { DataSource } from 'typeorm';
import type { AccountData } from '../auth/deletion/account-data.repository.js';
import { retriedTransaction } from '../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';
import { ExpiredJobsRepository, type ExpiredJob } from './expired-jobs.repository.js';
import { closeJob } from './completion/close-job.repository.js';

const PAGE = 50;

/**
 * Deletes the jobs of a deleted account, with their addresses: takes each job from the workers, then deletes it like an
 * expired one.
 */
export class AccountJobsRepository implements AccountData {
  private readonly expired: ExpiredJobsRepository;

  constructor(private readonly dataSource: DataSource) {
    this.expired = new ExpiredJobsRepository(dataSource);
  }

  async count(accountId: string): Promise<Readonly<Record<string, number>>> {
    const [row] = await this.dataSource.sql<{ jobs: string; addresses: string }[]>`
      SELECT COUNT(*) AS jobs, COALESCE(SUM(total), 0) AS addresses FROM jobs
        WHERE account_id = ${idToBytes(accountId)}`;
    return { jobs: Number(row!.jobs), 'addresses in jobs': Number(row!.addresses) };
  }

  async erase(accountId: string): Promise<void> {
    for (;;) {
      const jobs = await this.some(accountId);
      for (const job of jobs) {
        await closeJob(this.dataSource, job.id);
        await this.end(job.id);
        await this.expired.delete(job);
      }
      if (jobs.length < PAGE) return;
    }
  }

  private async some(accountId: string): Promise<ExpiredJob[]> {
    const rows = await this.dataSource.sql<{ id: Buffer; total: number }[]>`
      SELECT id, total FROM jobs WHERE account_id = ${idToBytes(accountId)} LIMIT ${PAGE}`;
    return rows.map(({ id, total }) => ({ id: idFromBytes(id), total }));
  }

  /** Completes and expires the job without a refund, so that it is not ended, read, or given results any more. */
  private end(jobId: string): Promise<void> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      await transaction.sql`
        UPDATE jobs SET status = 'completed', stage = 'done', completed_at = UTC_TIMESTAMP(3),
          expires_at = UTC_TIMESTAMP(3) WHERE id = ${idToBytes(jobId)}`;
    });
  }
}
