import type { DataSource } from 'typeorm';
import { appendAudit, type Actor } from '../audit/audit-log.repository.js';
import { retriedTransaction } from '../database/retried-transaction.js';
import type { FailedWork } from './failed-work.repository.js';

export interface KeptFailure {
  readonly id: number;
  readonly queue: string;
  readonly jobId: string;
  readonly why: string;
  readonly failedAt: Date;
}

export type RetryOutcome =
  | { readonly kind: 'retried' | 'unknown' }
  /** `why`: one line for operators. */
  | { readonly kind: 'refused'; readonly why: string };

export interface RetriedFailures {
  readonly retried: number;
  /** How many were refused, by the reason. */
  readonly refused: ReadonlyMap<string, number>;
}

const PAGE = 500;

/** Lists and retries jobs that failed for good. */
export class FailedJobRetriesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly work: readonly FailedWork[],
  ) {}

  /** Latest first. */
  async latest(limit: number): Promise<KeptFailure[]> {
    const rows = await this.dataSource.sql<(Omit<KeptFailure, 'id'> & { readonly id: string })[]>`
      SELECT id, queue, job_id AS jobId, why, failed_at AS failedAt FROM failed_jobs ORDER BY id DESC LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  /** Makes the work due again and deletes the failure in one transaction. A refused retry keeps the failure. */
  retry(id: number, actor: Actor): Promise<RetryOutcome> {
    return retriedTransaction(this.dataSource, async (transaction): Promise<RetryOutcome> => {
      const [row] = await transaction.sql<Pick<KeptFailure, 'queue' | 'jobId'>[]>`
        SELECT queue, job_id AS jobId FROM failed_jobs WHERE id = ${id} FOR UPDATE`;
      if (row === undefined) return { kind: 'unknown' };
      const owner = this.work.find(({ queue }) => queue === row.queue);
      if (owner === undefined) return { kind: 'refused', why: 'jobs of this queue come back by themselves' };
      const why = await owner.makeDueWithin(transaction, row.jobId);
      if (why !== null) return { kind: 'refused', why };
      await transaction.sql`DELETE FROM failed_jobs WHERE id = ${id}`;
      const details = { queue: row.queue };
      await appendAudit(transaction, { actor, action: 'queue.retry', accountId: null, subject: row.jobId, details });
      return { kind: 'retried' };
    });
  }

  /** Retries every failure that can be retried, oldest first. */
  async retryAll(actor: Actor): Promise<RetriedFailures> {
    const refused = new Map<string, number>();
    let retried = 0;
    for (let last = 0; ;) {
      const ids = await this.idsAfter(last, PAGE);
      for (const id of ids) {
        const outcome = await this.retry(id, actor);
        if (outcome.kind === 'retried') retried += 1;
        if (outcome.kind === 'refused') refused.set(outcome.why, (refused.get(outcome.why) ?? 0) + 1);
      }
      last = ids.at(-1) ?? last;
      if (ids.length < PAGE) return { retried, refused };
    }
  }

  private async idsAfter(id: number, limit: number): Promise<number[]> {
    const rows = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM failed_jobs WHERE id > ${id} ORDER BY id LIMIT ${limit}`;
    return rows.map((row) => Number(row.id));
  }
}
