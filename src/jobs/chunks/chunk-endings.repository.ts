import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { JOB_BATCH_QUEUE, type QueuedChunk } from '../job-batch.queue.js';
import type { ChunkTurn } from './chunk-turns.repository.js';
import type { ChunkKind } from '../../verify/bulk/retry-decision.js';
import { NOT_RELEASED, OPEN } from '../outcomes/job-sql.js';
import { endChunks, lockDueChunks, writeOpenPositions } from './due-chunks.repository.js';
import { insertChunks } from './new-chunks.repository.js';
import type { Retry } from '../outcomes/outcome.js';
import { retryChunks } from './retry-chunks.js';

/** Ends chunks: moves addresses to probe again to new chunks, and releases the next chunk of the group. */
@Injectable()
export class ChunkEndingsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly failedJobs: FailedJobsRepository,
  ) {}

  /**
   * Moves addresses to later chunks, one chunk for each egress.
   * @param kind of the new chunks: `retry` for greylisted addresses
   * @returns the new chunks
   */
  moveToLater(turn: ChunkTurn, kind: ChunkKind, retries: readonly Retry[]): Promise<QueuedChunk[]> {
    const { jobId, number, priority } = turn;
    const job = idToBytes(jobId);
    return retriedTransaction(this.dataSource, async (transaction) => {
      const due = (await lockDueChunks(transaction, job, [number])).get(number);
      if (due === undefined) return [];
      const listed = due.open;
      const open = new Set(
        listed ??
          (await lockOpen(
            transaction,
            job,
            retries.flatMap(({ target }) => target.positions),
          )),
      );
      // This locks the job's row, so that no other transaction takes the same chunk numbers.
      await transaction.sql`UPDATE jobs SET touched_at = ${() => NOW} WHERE id = ${job}`;
      let next = await nextNumber(transaction, job);
      const chunks: QueuedChunk[] = [];
      for (const { egress, delayMs, positions: all } of retryChunks(retries)) {
        const own = all.filter((position) => open.delete(position));
        if (own.length === 0) continue;
        const positions = listed && own;
        await insertChunks(transaction, job, [
          { number: next, group: null, kind, priority, delayMs, egress, released: true, positions },
        ]);
        if (listed === null) await nameChunk(transaction, job, next, own);
        chunks.push({ jobId, number: next, priority, delayMs });
        next += 1;
      }
      if (listed !== null) await writeOpenPositions(transaction, job, number, open);
      return chunks;
    });
  }

  /**
   * Ends a chunk without open entries, and releases the next chunk of its group.
   * @param failure why the chunk was given up; null: it was not
   * @returns the released chunk; `left` if the chunk still has open entries
   */
  async finish(
    turn: ChunkTurn,
    failure: { readonly why: string } | null,
  ): Promise<{ readonly left: boolean; readonly released: QueuedChunk | null }> {
    const { jobId, number, failures, begunBefore } = turn;
    const job = idToBytes(jobId);
    return retriedTransaction(this.dataSource, async (transaction) => {
      const due = (await lockDueChunks(transaction, job, [number])).get(number);
      if (due === undefined) return { left: false, released: null };
      const left = due.open === null ? await isNamed(transaction, job, number) : due.open.length > 0;
      if (left) return { left: true, released: null };
      await endChunks(transaction, job, [number]);
      if (failure !== null) {
        await this.failedJobs.insertWithin(transaction, {
          queue: JOB_BATCH_QUEUE.name,
          jobId: JOB_BATCH_QUEUE.jobId({ kind: 'chunk', jobId, chunk: number }),
          why: failure.why,
          details: { failures, begun: begunBefore },
        });
      }
      return { left: false, released: due.mayRelease ? await releaseNext(transaction, jobId, number) : null };
    });
  }
}

/** Locks those of the entries that have no outcome. Only for chunks that do not list them. */
async function lockOpen(transaction: EntityManager, job: Buffer, positions: readonly number[]): Promise<number[]> {
  const rows = await transaction.sql<{ position: number }[]>`SELECT position FROM job_entries FORCE INDEX (PRIMARY)
    WHERE job_id = ${job} AND position IN (${positions}) AND ${() => OPEN} ORDER BY position FOR UPDATE`;
  return rows.map(({ position }) => position);
}

async function nameChunk(
  transaction: EntityManager,
  job: Buffer,
  number: number,
  positions: readonly number[],
): Promise<void> {
  await transaction.sql`UPDATE job_entries SET chunk = ${number} WHERE job_id = ${job} AND position IN (${positions})`;
}

/** True if an entry without an outcome names the chunk. */
async function isNamed(transaction: EntityManager, job: Buffer, number: number): Promise<boolean> {
  const rows = await transaction.sql<unknown[]>`
    SELECT position FROM job_entries WHERE job_id = ${job} AND chunk = ${number} AND ${() => OPEN} LIMIT 1`;
  return rows.length > 0;
}

async function nextNumber(transaction: EntityManager, job: Buffer): Promise<number> {
  const [row] = await transaction.sql<{ next: string | number | null }[]>`
    SELECT MAX(number) + 1 AS next FROM job_chunks WHERE job_id = ${job}`;
  return Number(row?.next ?? 0);
}

/** Skips a chunk that another transaction is about to release. */
async function releaseNext(transaction: EntityManager, jobId: string, doneNumber: number): Promise<QueuedChunk | null> {
  const job = idToBytes(jobId);
  const [next] = await transaction.sql<{ number: number; priority: number }[]>`
    SELECT number, priority FROM job_chunks FORCE INDEX (PRIMARY)
      WHERE job_id = ${job} AND number > ${doneNumber} AND due_at = ${() => NOT_RELEASED} AND state = 'due'
        AND group_name = (SELECT d.group_name FROM job_chunks d WHERE d.job_id = ${job} AND d.number = ${doneNumber})
      ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (next === undefined) return null;
  await transaction.sql`
    UPDATE job_chunks SET due_at = ${() => NOW}, queued_at = ${() => NOW} WHERE job_id = ${job}
      AND number = ${next.number}`;
  return { jobId, ...next };
}
