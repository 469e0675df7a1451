import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { JobMode } from '../job.js';
import type { QueuedChunk } from '../job-batch.queue.js';
import { OPEN } from '../outcomes/job-sql.js';
import { insertChunks, type NewChunk } from '../chunks/new-chunks.repository.js';
import { priorities } from '../outcomes/priorities.js';
import type { OpenEntry } from '../outcomes/targets.js';

/** A job to plan. */
export interface JobToPlan {
  readonly jobId: string;
  readonly account: string;
  readonly mode: JobMode;
  /** When the job was submitted. */
  readonly arrivedAt: Date;
  /** Earlier runs that began and never reported back. */
  readonly begunBefore: number;
}

/** A chunk to insert, in the order of execution. */
export interface PlannedChunk extends Pick<NewChunk, 'group' | 'kind' | 'delayMs' | 'egress' | 'released'> {
  readonly positions: readonly number[];
}

interface JobRow {
  account_id: Buffer;
  mode: JobMode;
  created_at: Date;
  begun: number;
}

const PAGE = 2000;

/** Reads jobs to plan, and stores their chunks. */
@Injectable()
export class PlanRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Begins a run. @returns null if the job is planned already, or gone */
  async beginPlan(jobId: string): Promise<JobToPlan | null> {
    const job = idToBytes(jobId);
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      UPDATE jobs SET begun = begun + 1, touched_at = ${() => NOW} WHERE id = ${job} AND stage = 'new' AND sandbox = 0`;
    if (affectedRows === 0) return null;
    const [row] = await this.dataSource.sql<JobRow[]>`
      SELECT account_id, mode, created_at, begun FROM jobs WHERE id = ${job}`;
    if (row === undefined) return null;
    const { account_id: account, mode, created_at: arrivedAt, begun } = row;
    return { jobId, account: idFromBytes(account), mode, arrivedAt, begunBefore: begun - 1 };
  }

  /** Ends an interrupted run without a plan, and does not count it as failed. */
  async abandonPlan(jobId: string): Promise<void> {
    await this.dataSource.sql`UPDATE jobs SET begun = 0 WHERE id = ${idToBytes(jobId)} AND stage = 'new'`;
  }

  /** Reads the entries of a job without an outcome, in order. */
  async entries(jobId: string): Promise<OpenEntry[]> {
    const entries: OpenEntry[] = [];
    for (let from = 0; ;) {
      const page = await this.dataSource.sql<OpenEntry[]>`SELECT position, sent FROM job_entries FORCE INDEX (PRIMARY)
        WHERE job_id = ${idToBytes(jobId)} AND position >= ${from} AND ${() => OPEN} ORDER BY position LIMIT ${PAGE}`;
      entries.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return entries;
      from = last.position + 1;
    }
  }

  /**
   * Stores the chunks of a job, all of them or none.
   * @returns the chunks to queue, and whether the job has no work left; null if it is planned already
   */
  commit(
    { jobId }: JobToPlan,
    chunks: readonly PlannedChunk[],
  ): Promise<{ readonly queued: QueuedChunk[]; readonly complete: boolean } | null> {
    const job = idToBytes(jobId);
    return retriedTransaction(this.dataSource, async (transaction) => {
      const [row] = await transaction.sql<{ account_id: Buffer; done: number; total: number }[]>`
        SELECT account_id, done, total FROM jobs WHERE id = ${job} AND stage = 'new' FOR UPDATE`;
      if (row === undefined) return null;
      const complete = row.done >= row.total;
      const ranks = priorities(chunks.length, await outstanding(transaction, row.account_id));
      const made = chunks.map((chunk, number) => ({ ...chunk, number, priority: ranks[number]! }));
      await insertChunks(transaction, job, made);
      await transaction.sql`
        UPDATE jobs SET stage = ${complete ? 'shaping' : 'planned'}, begun = 0, touched_at = ${() => NOW}
          WHERE id = ${job}`;
      const queued = made
        .filter(({ released }) => released)
        .map(({ number, priority, delayMs }) => ({ jobId, number, priority, delayMs }));
      return { queued, complete };
    });
  }
}

/** Reads the last priority of the account's work, and the priority that is served next. */
async function outstanding(transaction: EntityManager, account: Buffer) {
  const [own] = await transaction.sql<{ last: number | null }[]>`
    SELECT MAX(c.priority) AS last FROM jobs j JOIN job_chunks c ON c.job_id = j.id AND c.state = 'due'
      WHERE j.account_id = ${account} AND j.sandbox = 0 AND j.status = 'processing'`;
  const [next] = await transaction.query<{ priority: number }[]>(
    `SELECT priority FROM job_chunks FORCE INDEX (job_chunks_turn)
      WHERE state = 'due' AND due_at <= ${NOW} ORDER BY priority LIMIT 1`,
  );
  return { accountsLast: own?.last ?? null, next: next?.priority ?? null };
}
