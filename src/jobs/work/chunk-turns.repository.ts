import type { DataSource, EntityManager } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes, newId } from '../../platform/ids/uuid.js';
import type { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { readListEntry } from '../../verify/batch-entry.js';
import { JOB_BATCH_QUEUE } from '../job-batch.queue.js';
import type { JobMode } from '../job.js';
import type { QueuedChunk } from '../job-queue.js';
import { inMs, NOT_RELEASED, NOW, OPEN } from './job-sql.js';
import type { Retry } from './outcome.js';
import type { ChunkKind } from './ending.js';
import { retryChunks } from './retry-chunks.js';
import type { OpenEntry } from './targets.js';

/** A hold on a chunk. */
export interface ChunkTurn {
  readonly jobId: string;
  readonly number: number;
  /** Names this hold; another one has another. */
  readonly holder: string;
  readonly kind: ChunkKind;
  /** Others of its group may wait until it is done. */
  readonly mayRelease: boolean;
  readonly priority: number;
  /** The way out that its addresses have to be asked by; null: any. */
  readonly egress: string | null;
  /** Runs begun before this one of which nothing was heard. */
  readonly begunBefore: number;
  /** Runs that failed on our side, with nothing achieved. */
  readonly failures: number;
  readonly mode: JobMode;
  /** Entries of the job. */
  readonly total: number;
  /** When the job was submitted. */
  readonly arrivedAt: Date;
}

export type Claim =
  | { readonly kind: 'held'; readonly turn: ChunkTurn }
  /** It is not due, or somebody else holds it. */
  | { readonly kind: 'later'; readonly afterMs: number }
  /** There is nothing left to do. */
  | { readonly kind: 'over' };

interface ChunkRow {
  group_name: string;
  kind: ChunkKind;
  state: 'due' | 'done';
  priority: number;
  egress: string | null;
  begun: number;
  failures: number;
  holder: Buffer | null;
  due_in: string | number;
  released: string | number;
  mode: JobMode;
  total: number;
  created_at: Date;
}

/** A holder that is not heard of for so long is taken for dead. */
const HELD_MS = 30_000;
/** How often a holder has to be heard of. */
export const RENEW_EVERY_MS = 8000;

/** Holds on chunks. While one is held it is not due: `due_at` says when the hold ends by itself. */
export class ChunkTurnsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly failedJobs: Pick<FailedJobsRepository, 'insertWithin'>,
  ) {}

  async claim(jobId: string, number: number): Promise<Claim> {
    const job = idToBytes(jobId);
    const holder = newId();
    const mark = idToBytes(holder);
    await this.dataSource.query(
      `UPDATE job_chunks SET begun = begun + 1, holder = ?, due_at = ${inMs(HELD_MS)}
        WHERE job_id = ? AND number = ? AND state = 'due' AND due_at <= ${NOW}`,
      [mark, job, number],
    );
    const [row] = await this.dataSource.query<ChunkRow[]>(
      `SELECT c.group_name, c.kind, c.state, c.priority, c.egress, c.begun, c.failures, c.holder, j.mode, j.total, j.created_at,
          TIMESTAMPDIFF(MICROSECOND, ${NOW}, c.due_at) AS due_in, c.due_at < ${NOT_RELEASED} AS released
        FROM job_chunks c JOIN jobs j ON j.id = c.job_id WHERE c.job_id = ? AND c.number = ?`,
      [job, number],
    );
    // One that is released later is put on the queue then.
    if (row === undefined || row.state === 'done' || Number(row.released) === 0) return { kind: 'over' };
    if (row.holder?.equals(mark) !== true) {
      return { kind: 'later', afterMs: Math.min(Math.max(0, Number(row.due_in) / 1000), LONGEST_WAIT_MS) };
    }
    const { kind, priority, egress, begun, failures, mode, total, created_at } = row;
    const run = { holder, begunBefore: begun - 1, failures };
    const mayRelease = row.group_name !== SEVERAL_GROUPS;
    const turn = { jobId, number, ...run, kind, mayRelease, priority, egress, mode, total, arrivedAt: created_at };
    return { kind: 'held', turn };
  }

  /** Prolongs a hold. */
  async renew({ jobId, number, holder }: ChunkTurn): Promise<void> {
    await this.dataSource.query(
      `UPDATE job_chunks SET due_at = ${inMs(HELD_MS)} WHERE job_id = ? AND number = ? AND holder = ? AND state = 'due'`,
      [idToBytes(jobId), number, idToBytes(holder)],
    );
  }

  /** Entries of the chunk without an outcome, in order. */
  async entries({ jobId, number }: ChunkTurn): Promise<OpenEntry[]> {
    return this.dataSource.query<OpenEntry[]>(
      `SELECT position, sent FROM job_entries WHERE job_id = ? AND chunk = ? AND ${OPEN} ORDER BY position`,
      [idToBytes(jobId), number],
    );
  }

  /** Domains of addresses of the chunk beside which a random recipient was refused. */
  async tellsApart({ jobId, number }: ChunkTurn): Promise<Set<string>> {
    const rows = await this.dataSource.query<{ sent: string; code: string | number | null }[]>(
      `SELECT sent, JSON_EXTRACT(facts, '$.probe.code') AS code FROM job_entries
        WHERE job_id = ? AND chunk = ? AND JSON_UNQUOTE(JSON_EXTRACT(facts, '$.probe.random')) = 'refused'`,
      [idToBytes(jobId), number],
    );
    return new Set(rows.filter(({ code }) => Number(code) !== 252).flatMap(({ sent }) => domainOf(sent)));
  }

  /** Lets go of a chunk with work left: its next turn comes after so long. @param failures as they are counted from now on */
  async postpone({ jobId, number, holder }: ChunkTurn, afterMs: number, failures: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE job_chunks SET begun = 0, failures = ?, holder = NULL, due_at = ${inMs(afterMs)}, queued_at = due_at
        WHERE job_id = ? AND number = ? AND holder = ? AND state = 'due'`,
      [failures, idToBytes(jobId), number, idToBytes(holder)],
    );
  }

  /** Moves addresses that were greylisted to chunks of their own, one for each way out. @returns those chunks */
  moveToRetry(turn: ChunkTurn, retries: readonly Retry[]): Promise<QueuedChunk[]> {
    const { jobId, number, priority } = turn;
    const job = idToBytes(jobId);
    return retriedTransaction(this.dataSource, async (transaction) => {
      if (!(await lockDue(transaction, job, number))) return [];
      const positions = retries.flatMap(({ target }) => target.positions);
      const rows = await transaction.query<{ position: number }[]>(
        `SELECT position FROM job_entries FORCE INDEX (PRIMARY)
          WHERE job_id = ? AND position IN (?) AND ${OPEN} ORDER BY position FOR UPDATE`,
        [job, positions],
      );
      const open = new Set(rows.map(({ position }) => position));
      // Whoever adds chunks to the job has its lock: their numbers are their own.
      await transaction.query(`UPDATE jobs SET touched_at = ${NOW} WHERE id = ?`, [job]);
      let next = await nextNumber(transaction, job);
      const chunks: QueuedChunk[] = [];
      for (const { egress, delayMs, positions: all } of retryChunks(retries)) {
        const own = all.filter((position) => open.has(position));
        if (own.length === 0) continue;
        await insertChunks(transaction, job, [
          { number: next, group: null, kind: 'retry', priority, delayMs, egress, released: true },
        ]);
        await transaction.query('UPDATE job_entries SET chunk = ? WHERE job_id = ? AND position IN (?)', [
          next,
          job,
          own,
        ]);
        chunks.push({ jobId, number: next, priority, delayMs });
        next += 1;
      }
      return chunks;
    });
  }

  /**
   * Ends a chunk of which no entry is left, and releases the next of its group.
   * @param failure it was given up
   * @returns the one released; `left` when there is work left after all
   */
  async finish(
    turn: ChunkTurn,
    failure: { readonly why: string } | null,
  ): Promise<{ readonly left: boolean; readonly released: QueuedChunk | null }> {
    const { jobId, number, failures, begunBefore } = turn;
    const job = idToBytes(jobId);
    if (!turn.mayRelease && failure === null && (await this.finishAlone(job, number))) {
      return { left: false, released: null };
    }
    return retriedTransaction(this.dataSource, async (transaction) => {
      if (!(await lockDue(transaction, job, number))) return { left: false, released: null };
      const left = await transaction.query<unknown[]>(
        `SELECT position FROM job_entries WHERE job_id = ? AND chunk = ? AND ${OPEN} LIMIT 1`,
        [job, number],
      );
      if (left.length > 0) return { left: true, released: null };
      await transaction.query(
        `UPDATE job_chunks SET state = 'done', holder = NULL, due_at = ${NOW} WHERE job_id = ? AND number = ?`,
        [job, number],
      );
      if (failure !== null) {
        await this.failedJobs.insertWithin(transaction, {
          queue: JOB_BATCH_QUEUE.name,
          jobId: JOB_BATCH_QUEUE.jobId({ kind: 'chunk', jobId, chunk: number }),
          why: failure.why,
          details: { failures, begun: begunBefore },
        });
      }
      return { left: false, released: await releaseNext(transaction, jobId, number) };
    });
  }

  /** One statement, where nobody waits for the chunk. @returns false when it has work left, or is done already */
  private async finishAlone(job: Buffer, number: number): Promise<boolean> {
    const { affectedRows } = await this.dataSource.query<{ affectedRows: number }>(
      `UPDATE job_chunks SET state = 'done', holder = NULL, due_at = ${NOW}
        WHERE job_id = ? AND number = ? AND state = 'due'
          AND NOT EXISTS (SELECT 1 FROM job_entries WHERE job_id = ? AND chunk = ? AND ${OPEN})`,
      [job, number, job, number],
    );
    return affectedRows === 1;
  }
}

/** Who comes too early asks again after so long at the latest. */
const LONGEST_WAIT_MS = 60_000;

export interface NewChunk {
  readonly number: number;
  /** null: of several groups of mail hosts. */
  readonly group: string | null;
  readonly kind: ChunkKind;
  readonly priority: number;
  readonly delayMs: number;
  readonly egress: string | null;
  /** False: not to be worked on before another of its group is done. */
  readonly released: boolean;
}

const SEVERAL_GROUPS = '';
const LONGEST_GROUP = 253;
const INSERTED_AT_ONCE = 500;

/** For a transaction that has the lock of the job. */
export async function insertChunks(
  transaction: EntityManager,
  job: Buffer,
  chunks: readonly NewChunk[],
): Promise<void> {
  for (let from = 0; from < chunks.length; from += INSERTED_AT_ONCE) {
    const batch = chunks.slice(from, from + INSERTED_AT_ONCE);
    const rows = batch.map(({ released, delayMs }) => {
      const due = released ? inMs(delayMs) : NOT_RELEASED;
      return `(?, ?, ?, ?, 'due', ?, ${due}, ${due}, ?)`;
    });
    await transaction.query(
      `INSERT INTO job_chunks (job_id, number, group_name, kind, state, priority, due_at, queued_at, egress)
        VALUES ${rows.join(', ')}`,
      batch.flatMap(({ number, group, kind, priority, egress }) => [
        job,
        number,
        (group ?? SEVERAL_GROUPS).slice(0, LONGEST_GROUP),
        kind,
        priority,
        egress,
      ]),
    );
  }
}

async function lockDue(transaction: EntityManager, job: Buffer, number: number): Promise<boolean> {
  const rows = await transaction.query<unknown[]>(
    `SELECT number FROM job_chunks WHERE job_id = ? AND number = ? AND state = 'due' FOR UPDATE`,
    [job, number],
  );
  return rows.length > 0;
}

async function nextNumber(transaction: EntityManager, job: Buffer): Promise<number> {
  const [row] = await transaction.query<{ next: string | number | null }[]>(
    'SELECT MAX(number) + 1 AS next FROM job_chunks WHERE job_id = ?',
    [job],
  );
  return Number(row?.next ?? 0);
}

/** One that another transaction is about to release is passed over. */
async function releaseNext(transaction: EntityManager, jobId: string, doneNumber: number): Promise<QueuedChunk | null> {
  const job = idToBytes(jobId);
  const [next] = await transaction.query<{ number: number; priority: number }[]>(
    `SELECT number, priority FROM job_chunks FORCE INDEX (PRIMARY)
      WHERE job_id = ? AND number > ? AND due_at = ${NOT_RELEASED} AND state = 'due'
        AND group_name = (SELECT d.group_name FROM job_chunks d WHERE d.job_id = ? AND d.number = ?)
      ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [job, doneNumber, job, doneNumber],
  );
  if (next === undefined) return null;
  await transaction.query(`UPDATE job_chunks SET due_at = ${NOW}, queued_at = ${NOW} WHERE job_id = ? AND number = ?`, [
    job,
    next.number,
  ]);
  return { jobId, ...next };
}

function domainOf(sent: string): string[] {
  const entry = readListEntry(sent);
  return entry.kind === 'address' ? [entry.address.domain] : [];
}
