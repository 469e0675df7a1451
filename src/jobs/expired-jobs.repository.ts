import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../platform/database/database-now.js';
import { PurgeEvery } from '../platform/queues/maintenance-every.js';
import { retriedTransaction } from '../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';
import { RESULTS_TOGETHER, rowOf } from './joined-results.js';
import { statement } from '../platform/database/statement.js';

export interface ExpiredJob {
  readonly id: string;
  /** Number of entries. */
  readonly total: number;
}

/** Rows per transaction, which holds its locks for some milliseconds. */
const ROWS = 1000;

/**
 * Deletes rows of expired jobs in short transactions. Each deletes rows of one job by primary key, and locks no other
 * job's rows.
 */
@Injectable()
export class ExpiredJobsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Deletes jobs that are expired or were deleted by their owners (decisions 7.2). */
  @PurgeEvery(60_000, 'delete-expired-jobs')
  async deleteExpired(limit: number, goesOn: () => boolean): Promise<number> {
    const jobs = await this.findExpired(limit);
    for (const job of jobs) if (!(await this.delete(job, goesOn))) break;
    return jobs.length;
  }

  /**
   * Deletes an expired job. The job's own row goes last, so that an interrupted deletion is found again.
   * @param goesOn called before each transaction
   * @returns false if it was interrupted
   */
  async delete({ id, total }: ExpiredJob, goesOn: () => boolean = () => true): Promise<boolean> {
    for (let from = 0; from < total; from += ROWS) {
      if (!goesOn()) return false;
      const to = Math.min(from + ROWS, total);
      await this.deleteResults(id, from, to);
      await this.deleteEntries(id, from, to);
    }
    const numbers = await this.chunkNumbers(id);
    for (let from = 0; from < numbers; from += ROWS) {
      if (!goesOn()) return false;
      const to = Math.min(from + ROWS, numbers);
      await this.deleteOutcomes(id, from, to);
      await this.deleteChunks(id, from, to);
    }
    if (!goesOn()) return false;
    await this.deleteJob(id);
    return true;
  }

  /** Finds expired jobs, the oldest first. Skips jobs in progress: they must be ended and refunded first. */
  async findExpired(limit: number): Promise<ExpiredJob[]> {
    const rows = await this.dataSource.sql<{ id: Buffer; total: number }[]>`
      SELECT id, total FROM jobs FORCE INDEX (jobs_expiry)
        WHERE expires_at <= ${() => NOW} AND status = 'completed' ORDER BY expires_at LIMIT ${limit}`;
    return rows.map(({ id, total }) => ({ id: idFromBytes(id), total }));
  }

  /**
   * Deletes entries at positions from `from` (inclusive) to `to` (exclusive). If any exists, the last one must exist.
   */
  deleteEntries(jobId: string, from: number, to: number): Promise<void> {
    return this.deleteRange('job_entries', 'position', jobId, from, to);
  }

  /** Returns the highest chunk number plus one. */
  async chunkNumbers(jobId: string): Promise<number> {
    const [row] = await this.dataSource.sql<{ numbers: number | string | null }[]>`
      SELECT MAX(number) + 1 AS numbers FROM job_chunks WHERE job_id = ${idToBytes(jobId)}`;
    return Number(row?.numbers ?? 0);
  }

  /**
   * Deletes chunks with numbers from `from` (inclusive) to `to` (exclusive). If any exists, the last one must exist.
   */
  deleteChunks(jobId: string, from: number, to: number): Promise<void> {
    return this.deleteRange('job_chunks', 'number', jobId, from, to);
  }

  /** Deletes the results of entries at positions from `from` (inclusive) to `to` (exclusive). */
  deleteResults(jobId: string, from: number, to: number): Promise<void> {
    const id = idToBytes(jobId);
    const positions: number[] = [];
    for (let position = rowOf(from); position < to; position += RESULTS_TOGETHER) positions.push(position);
    return retriedTransaction(this.dataSource, async (transaction) => {
      await transaction.sql`
        DELETE r FROM job_results AS r FORCE INDEX (PRIMARY) WHERE r.job_id = ${id} AND r.position IN (${positions})`;
    });
  }

  /** Deletes the outcomes of chunks with numbers from `from` (inclusive) to `to` (exclusive). */
  async deleteOutcomes(jobId: string, from: number, to: number): Promise<void> {
    const id = idToBytes(jobId);
    const rows = await this.dataSource.sql<{ chunk: number; position: number }[]>`
      SELECT chunk, position FROM job_outcomes WHERE job_id = ${id} AND chunk >= ${from} AND chunk < ${to}`;
    if (rows.length === 0) return;
    await retriedTransaction(this.dataSource, async (transaction) => {
      await transaction.sql`
        DELETE r FROM job_outcomes AS r FORCE INDEX (PRIMARY)
          WHERE (r.job_id, r.chunk, r.position) IN (${rows.map(({ chunk, position }) => [id, chunk, position])})`;
    });
  }

  /** Deletes the job's own row. Its entries, results, outcomes and chunks must be gone. */
  async deleteJob(jobId: string): Promise<void> {
    await this.dataSource.sql`DELETE FROM jobs WHERE id = ${idToBytes(jobId)}`;
  }

  /**
   * Deletes the last row in a separate statement, because a range also locks the next row, which may be another job's.
   */
  private deleteRange(table: string, column: string, jobId: string, from: number, to: number): Promise<void> {
    const id = idToBytes(jobId);
    const where = statement`
      DELETE r FROM ${() => table} AS r FORCE INDEX (PRIMARY) WHERE r.job_id = ${id} AND r.${() => column}`;
    return retriedTransaction(this.dataSource, async (transaction) => {
      await statement`${where} >= ${from} AND r.${() => column} < ${to - 1}`.run(transaction);
      await statement`${where} = ${to - 1}`.run(transaction);
    });
  }
}
