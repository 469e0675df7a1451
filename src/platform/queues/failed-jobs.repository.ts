import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PurgeEvery } from './maintenance-every.js';
import type { QueueName } from '../config/queue-names.js';

export interface FailedJob {
  readonly queue: QueueName;
  readonly jobId: string;
  /** One line for operators, without any address. */
  readonly why: string;
  /** Without any address; kept for a week. */
  readonly details: Readonly<Record<string, string | number | boolean | null>> | null;
}

const MAX_JOB_ID = 255;
const MAX_WHY = 200;
const DETAILS_DAYS = 7;
const KEPT_DAYS = 90;

/** Jobs that failed for good (decisions 7.1). */
@Injectable()
export class FailedJobsRepository {
  constructor(private readonly dataSource: DataSource) {}

  insert(job: FailedJob): Promise<void> {
    return this.insertWithin(this.dataSource.manager, job);
  }

  /** Inserts in the transaction that ends the job's work. */
  async insertWithin(manager: EntityManager, { queue, jobId, why, details }: FailedJob): Promise<void> {
    await manager.sql`
      INSERT INTO failed_jobs (queue, job_id, why, details, failed_at)
        VALUES (${queue}, ${jobId.slice(0, MAX_JOB_ID)}, ${why.slice(0, MAX_WHY)},
        ${details === null ? null : JSON.stringify(details)}, UTC_TIMESTAMP(3))`;
  }

  /** Number of failed jobs by queue; queues without any are left out. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.dataSource.query<{ queue: string; failed: string | number }[]>(
      'SELECT queue, COUNT(*) AS failed FROM failed_jobs GROUP BY queue',
    );
    return new Map(rows.map(({ queue, failed }) => [queue, Number(failed)]));
  }

  /** Deletes up to `limit` rows after ninety days. @returns the number deleted */
  @PurgeEvery(60 * 60_000, 'delete-old-failed-jobs')
  async deleteOld(limit: number): Promise<number> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      DELETE FROM failed_jobs WHERE failed_at <= UTC_TIMESTAMP(3) - INTERVAL ${KEPT_DAYS} DAY
        ORDER BY failed_at LIMIT ${limit}`;
    return affectedRows;
  }

  /** Clears the details of up to `limit` rows after a week. @returns the number cleared */
  @PurgeEvery(60 * 60_000, 'delete-old-failed-jobs')
  async clearOldDetails(limit: number): Promise<number> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`UPDATE failed_jobs SET details = NULL
      WHERE failed_at <= UTC_TIMESTAMP(3) - INTERVAL ${DETAILS_DAYS} DAY AND details IS NOT NULL LIMIT ${limit}`;
    return affectedRows;
  }
}
