import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retriedTransaction } from '../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';

/** A job whose time is over. */
export interface ExpiredJob {
  readonly id: string;
  /** Entries it had. */
  readonly total: number;
}

const NOW = 'UTC_TIMESTAMP(3)';

/**
 * Deletes rows of jobs whose time is over, in short transactions. Each takes rows of one job by their primary key, and no
 * lock of any other.
 */
@Injectable()
export class ExpiredJobsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The oldest first. One that is still under way is left to be ended, and refunded, first. */
  async find(limit: number): Promise<ExpiredJob[]> {
    const rows = await this.dataSource.query<{ id: Buffer; total: number }[]>(
      `SELECT id, total FROM jobs FORCE INDEX (jobs_expiry)
        WHERE expires_at <= ${NOW} AND status = 'completed' ORDER BY expires_at LIMIT ?`,
      [limit],
    );
    return rows.map(({ id, total }) => ({ id: idFromBytes(id), total }));
  }

  /** Entries at positions from `from` to before `to`, of which the last is there if any is. */
  deleteEntries(jobId: string, from: number, to: number): Promise<void> {
    return this.deleteRange('job_entries', 'position', jobId, from, to);
  }

  /** How many numbers its chunks have: one more than the highest. */
  async chunkNumbers(jobId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ numbers: number | string | null }[]>(
      'SELECT MAX(number) + 1 AS numbers FROM job_chunks WHERE job_id = ?',
      [idToBytes(jobId)],
    );
    return Number(row?.numbers ?? 0);
  }

  /** Chunks with numbers from `from` to before `to`, of which the last is there if any is. */
  deleteChunks(jobId: string, from: number, to: number): Promise<void> {
    return this.deleteRange('job_chunks', 'number', jobId, from, to);
  }

  /** The job itself, once its rows are gone. */
  async deleteJob(jobId: string): Promise<void> {
    await this.dataSource.query('DELETE FROM jobs WHERE id = ?', [idToBytes(jobId)]);
  }

  /** The last row by itself: a range is locked up to the row behind it, which would be another job's. */
  private deleteRange(table: string, column: string, jobId: string, from: number, to: number): Promise<void> {
    const id = idToBytes(jobId);
    const where = `DELETE r FROM ${table} AS r FORCE INDEX (PRIMARY) WHERE r.job_id = ? AND r.${column}`;
    return retriedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(`${where} >= ? AND r.${column} < ?`, [id, from, to - 1]);
      await transaction.query(`${where} = ?`, [id, to - 1]);
    });
  }
}
