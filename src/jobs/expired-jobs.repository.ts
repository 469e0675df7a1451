import type { DataSource } from 'typeorm';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';

/** A job whose time is over. */
export interface ExpiredJob {
  readonly id: string;
  /** Entries it had. */
  readonly total: number;
}

const NOW = 'UTC_TIMESTAMP(3)';

/**
 * Deletes rows of jobs whose time is over. Each statement is a transaction of its own over a range of a primary key: the
 * rows of one job, which nobody else wants any more.
 */
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

  /** Entries at positions from `from` to before `to`. */
  async deleteEntries(jobId: string, from: number, to: number): Promise<void> {
    await this.dataSource.query(
      `DELETE e FROM job_entries AS e FORCE INDEX (PRIMARY)
        WHERE e.job_id = ? AND e.position >= ? AND e.position < ?`,
      [idToBytes(jobId), from, to],
    );
  }

  /** How many numbers its chunks have: one more than the highest. */
  async chunkNumbers(jobId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ numbers: number | string | null }[]>(
      'SELECT MAX(number) + 1 AS numbers FROM job_chunks WHERE job_id = ?',
      [idToBytes(jobId)],
    );
    return Number(row?.numbers ?? 0);
  }

  /** Chunks with numbers from `from` to before `to`. */
  async deleteChunks(jobId: string, from: number, to: number): Promise<void> {
    await this.dataSource.query(
      `DELETE c FROM job_chunks AS c FORCE INDEX (PRIMARY) WHERE c.job_id = ? AND c.number >= ? AND c.number < ?`,
      [idToBytes(jobId), from, to],
    );
  }

  /** The job itself, once its rows are gone. */
  async deleteJob(jobId: string): Promise<void> {
    await this.dataSource.query('DELETE FROM jobs WHERE id = ?', [idToBytes(jobId)]);
  }
}
