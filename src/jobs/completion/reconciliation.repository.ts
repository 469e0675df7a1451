import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idFromBytes } from '../../platform/ids/uuid.js';
import type { QueuedChunk } from '../job-batch.queue.js';
import { NOW } from '../outcomes/job-sql.js';

interface JobRow {
  id: Buffer;
  stage: 'new' | 'planned' | 'shaping';
}

/** What Redis may have lost. */
export interface IdleJobs {
  readonly toPlan: readonly string[];
  readonly toShape: readonly string[];
}

/** What was put on the queue is taken for lost when nothing was heard of it for so long. */
const LOST_AFTER_SECONDS = 15;
/** A job ends so long after its submit (decisions 7.2). */
const END_AFTER_HOURS = 24;

/** Finds, in MySQL alone, what is unfinished of jobs. Every statement may run twice at once. */
@Injectable()
export class JobReconciliationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Chunks that are due and were not put on the queue lately. They count as put there now. */
  async takeDue(limit: number): Promise<QueuedChunk[]> {
    const rows = await this.dataSource.query<{ job_id: Buffer; number: number; priority: number }[]>(
      `SELECT job_id, number, priority FROM job_chunks FORCE INDEX (job_chunks_due)
        WHERE state = 'due' AND due_at <= ${NOW} AND queued_at <= ${NOW} - INTERVAL ${LOST_AFTER_SECONDS} SECOND
        ORDER BY due_at LIMIT ?`,
      [limit],
    );
    if (rows.length > 0) {
      await this.dataSource.query(
        `UPDATE job_chunks SET queued_at = ${NOW} WHERE state = 'due' AND (job_id, number) IN (?)`,
        [rows.map(({ job_id, number }) => [job_id, number])],
      );
    }
    return rows.map(({ job_id, number, priority }) => ({ jobId: idFromBytes(job_id), number, priority }));
  }

  /** Jobs that wait to be planned, or to be shaped, and of which nothing was heard lately. They count as heard of now. */
  async takeIdle(limit: number): Promise<IdleJobs> {
    const rows = await this.dataSource.query<JobRow[]>(
      `SELECT id, stage FROM jobs FORCE INDEX (jobs_unfinished)
        WHERE status = 'processing' AND touched_at <= ${NOW} - INTERVAL ${LOST_AFTER_SECONDS} SECOND AND sandbox = 0
          AND (stage <> 'planned' OR done >= total) ORDER BY touched_at LIMIT ?`,
      [limit],
    );
    if (rows.length > 0) {
      await this.dataSource.query(`UPDATE jobs SET touched_at = ${NOW} WHERE status = 'processing' AND id IN (?)`, [
        rows.map(({ id }) => id),
      ]);
    }
    const idsOf = (isMeant: (row: JobRow) => boolean): string[] =>
      rows.filter(isMeant).map(({ id }) => idFromBytes(id));
    return { toPlan: idsOf(({ stage }) => stage === 'new'), toShape: idsOf(({ stage }) => stage !== 'new') };
  }

  /** Jobs that should have ended by now, and have not. */
  async overdue(limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: Buffer }[]>(
      `SELECT id FROM jobs WHERE status = 'processing' AND sandbox = 0 AND stage IN ('new', 'planned')
          AND created_at <= ${NOW} - INTERVAL ${END_AFTER_HOURS} HOUR LIMIT ?`,
      [limit],
    );
    return rows.map(({ id }) => idFromBytes(id));
  }
}
