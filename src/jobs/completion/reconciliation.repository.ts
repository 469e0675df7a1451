import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { idFromBytes } from '../../platform/ids/uuid.js';
import type { QueuedChunk } from '../job-batch.queue.js';

interface JobRow {
  id: Buffer;
  stage: 'new' | 'planned' | 'shaping';
}

/** Work that Redis may have lost. */
export interface IdleJobs {
  readonly toPlan: readonly string[];
  readonly toWrite: readonly string[];
}

/** Queued work that is silent for this long counts as lost. */
const LOST_AFTER_SECONDS = 15;
/** Age at which a job ends (decisions 7.2). */
const END_AFTER_HOURS = 24;

/** Finds unfinished work of jobs in MySQL alone. Every statement is safe to run twice at once. */
@Injectable()
export class JobReconciliationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Takes due chunks that were not queued lately, and marks them as queued now. */
  async takeDue(limit: number): Promise<QueuedChunk[]> {
    const rows = await this.dataSource.sql<{ job_id: Buffer; number: number; priority: number }[]>`
      SELECT job_id, number, priority FROM job_chunks FORCE INDEX (job_chunks_due)
        WHERE state = 'due' AND due_at <= ${() => NOW}
          AND queued_at <= ${() => NOW} - INTERVAL ${LOST_AFTER_SECONDS} SECOND ORDER BY due_at LIMIT ${limit}`;
    if (rows.length > 0) {
      await this.dataSource.sql`
        UPDATE job_chunks SET queued_at = ${() => NOW} WHERE state = 'due'
          AND (job_id, number) IN (${rows.map(({ job_id, number }) => [job_id, number])})`;
    }
    return rows.map(({ job_id, number, priority }) => ({ jobId: idFromBytes(job_id), number, priority }));
  }

  /** Takes jobs that wait to be planned or for their results, and were silent lately. Marks them as touched now. */
  async takeIdle(limit: number): Promise<IdleJobs> {
    const rows = await this.dataSource.sql<JobRow[]>`SELECT id, stage FROM jobs FORCE INDEX (jobs_unfinished)
      WHERE status = 'processing' AND touched_at <= ${() => NOW} - INTERVAL ${LOST_AFTER_SECONDS} SECOND
        AND sandbox = 0 AND (stage <> 'planned' OR done >= total) ORDER BY touched_at LIMIT ${limit}`;
    if (rows.length > 0) {
      await this.dataSource.sql`
        UPDATE jobs SET touched_at = ${() => NOW} WHERE status = 'processing' AND id IN (${rows.map(({ id }) => id)})`;
    }
    const idsOf = (isMeant: (row: JobRow) => boolean): string[] =>
      rows.filter(isMeant).map(({ id }) => idFromBytes(id));
    return { toPlan: idsOf(({ stage }) => stage === 'new'), toWrite: idsOf(({ stage }) => stage !== 'new') };
  }

  /** Finds unfinished jobs that are past their age limit. */
  async overdue(limit: number): Promise<string[]> {
    const rows = await this.dataSource.sql<{ id: Buffer }[]>`
      SELECT id FROM jobs WHERE status = 'processing' AND sandbox = 0 AND stage IN ('new', 'planned')
        AND created_at <= ${() => NOW} - INTERVAL ${END_AFTER_HOURS} HOUR LIMIT ${limit}`;
    return rows.map(({ id }) => idFromBytes(id));
  }
}
