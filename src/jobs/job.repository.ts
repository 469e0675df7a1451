import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../platform/database/database-now.js';
import { runBound } from '../platform/database/run-bound.js';
import { readJson } from '../platform/database/read-json.js';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';
import { entryBatches } from './entry-batches.js';
import type { JobsHeld } from './job-bounds.js';
import type { DataOwner } from '../auth/caller.js';
import type { Job, VerdictCounts } from './job.js';
import { rowOf, splitResults, type EntryResultText, type JoinedResults } from './joined-results.js';
import type { NewEntry } from './new-entries.js';

export interface NewJob extends Job {
  readonly owner: DataOwner;
  /** The key that submitted it. */
  readonly keyId: string;
  /** Addresses that count against the plan. */
  readonly addressesCounted: number;
  /** When it completes by itself, for a sandbox job; null: when its work is done. */
  readonly completedAt: Date | null;
  /** Whether its completion is an event for webhooks. */
  readonly webhook: boolean;
}

/** An entry with its result, or with the address that the result is computed from. */
export type StoredEntry = Pick<NewEntry, 'sent' | 'result'>;

export type Deletion = 'deleted' | 'processing' | 'not_found';

interface JobRow extends Omit<Job, 'id' | 'sandbox' | 'counts'> {
  id: Buffer;
  counts: VerdictCounts | string | null;
}

/** The completion time may lie in the future. */
const IS_COMPLETED = `status = 'completed' AND completed_at <= ${NOW}`;
const JOB_COLUMNS = `id, mode, name, IF(${IS_COMPLETED}, 'completed', 'processing') AS status, total, done, counts,
  created_at AS createdAt, expires_at AS expiresAt`;
const KEPT = `expires_at > ${NOW}`;
/** A longer text, which JSON could double, is sent raw, so that any text that a body may hold fits into a packet. */
const MAX_JSON_CHARACTERS = 1024 * 1024;
/** One statement text for any number of entries. Strangers wrote them, so they are bound, in one value. */
const INSERT_ENTRIES = `INSERT INTO job_entries (job_id, position, sent, error, unit_price, result)
  SELECT ?, ? + e.n - 1, e.sent, e.error, e.price, e.result FROM JSON_TABLE(?, '$[*]' COLUMNS (
    n FOR ORDINALITY,
    sent MEDIUMTEXT PATH '$.sent' NULL ON EMPTY ERROR ON ERROR,
    error VARCHAR(64) PATH '$.error' NULL ON EMPTY ERROR ON ERROR,
    price INT PATH '$.price' ERROR ON EMPTY ERROR ON ERROR,
    result MEDIUMTEXT PATH '$.result' NULL ON EMPTY ERROR ON ERROR
  )) AS e`;
const WRITE_RESULT = 'UPDATE job_entries SET result = ? WHERE job_id = ? AND position = ?';

/** Stores jobs, and reads them for their owners. Expired and deleted jobs are invisible. */
@Injectable()
export class JobRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the current time by the clock that expires jobs. */
  async now(): Promise<Date> {
    const [row] = await this.dataSource.query<{ now: Date }[]>(`SELECT ${NOW} AS now`);
    return row!.now;
  }

  /**
   * Counts the account's jobs. Reads rows of this account only, by index.
   * @param transaction one that keeps others from adding jobs; default: a snapshot
   */
  async held({ accountId, sandbox }: DataOwner, transaction = this.dataSource.manager): Promise<JobsHeld> {
    const addresses = 'COALESCE(addresses_counted, total)';
    const [row] = await transaction.sql<Record<keyof JobsHeld, number | string | null>[]>`
      SELECT SUM(${() => KEPT}) AS jobs, SUM(IF(${() => KEPT}, ${() => addresses}, 0)) AS addresses,
          SUM(${() => KEPT} AND NOT (${() => IS_COMPLETED})) AS processing,
          SUM(NOT ${() => KEPT}) AS leftJobs, SUM(IF(${() => KEPT}, 0, ${() => addresses})) AS leftAddresses
        FROM jobs FORCE INDEX (jobs_account) WHERE account_id = ${idToBytes(accountId)}
          AND sandbox = ${Number(sandbox)}`;
    return {
      jobs: Number(row?.jobs),
      addresses: Number(row?.addresses),
      processing: Number(row?.processing),
      leftJobs: Number(row?.leftJobs),
      leftAddresses: Number(row?.leftAddresses),
    };
  }

  /** Stores a job, without its entries. */
  async insertWithin(transaction: EntityManager, job: NewJob): Promise<void> {
    const id = idToBytes(job.id);
    // A job that completes by itself needs no worker.
    const [status, stage] = job.completedAt === null ? ['processing', 'new'] : ['completed', 'done'];
    await transaction.sql`
      INSERT INTO jobs (id, account_id, key_id, sandbox, mode, name, status, stage, total, addresses_counted, done,
        created_at, completed_at, expires_at, touched_at, counts, webhook)
          VALUES (${id}, ${idToBytes(job.owner.accountId)}, ${idToBytes(job.keyId)}, ${Number(job.owner.sandbox)},
          ${job.mode}, ${job.name}, ${status}, ${stage}, ${job.total}, ${job.addressesCounted}, ${job.done},
          ${job.createdAt}, ${job.completedAt}, ${job.expiresAt}, ${job.createdAt},
          ${job.counts && JSON.stringify(job.counts)}, ${Number(job.webhook)})`;
  }

  /** Stores the entries of a job, in the order of the list. */
  async insertEntriesWithin(transaction: EntityManager, jobId: string, entries: readonly NewEntry[]): Promise<void> {
    const id = idToBytes(jobId);
    for (const { from, entries: batch } of entryBatches(entries)) {
      const isLong = (result: string | null): boolean => result !== null && result.length > MAX_JSON_CHARACTERS;
      const rows = batch.map(({ sent, unitPrice, result }) => ({
        ...(sent === null ? { error: 'invalid_email' } : { sent }),
        price: unitPrice,
        ...(result !== null && !isLong(result) && { result }),
      }));
      await runBound(transaction, INSERT_ENTRIES, [id, from, JSON.stringify(rows)]);
      // An entry above the batch limit is alone in its batch.
      const [first] = batch;
      if (first?.result != null && isLong(first.result)) {
        await runBound(transaction, WRITE_RESULT, [first.result, id, from]);
      }
    }
  }

  /**
   * Tells whether a job was stored, even if the connection that stored it was lost.
   * @throws the driver's error while its transaction is still open
   */
  async stands(jobId: string): Promise<boolean> {
    const rows = await this.dataSource.sql<unknown[]>`
      SELECT id FROM jobs WHERE id = ${idToBytes(jobId)} FOR UPDATE NOWAIT`;
    return rows.length > 0;
  }

  async findJob({ accountId, sandbox }: DataOwner, jobId: string): Promise<Job | null> {
    const [row] = await this.dataSource.sql<JobRow[]>`
      SELECT ${() => JOB_COLUMNS} FROM jobs WHERE id = ${idToBytes(jobId)} AND account_id = ${idToBytes(accountId)}
        AND sandbox = ${Number(sandbox)} AND ${() => KEPT}`;
    return row === undefined ? null : toJob(row, sandbox);
  }

  /**
   * Lists jobs, the newest first. @param before id of the last job of the previous page; null: start with the newest
   */
  async list({ accountId, sandbox }: DataOwner, before: string | null, limit: number): Promise<Job[]> {
    const aboveAll = Buffer.alloc(16, 0xff);
    const rows = await this.dataSource.sql<JobRow[]>`
      SELECT ${() => JOB_COLUMNS} FROM jobs WHERE account_id = ${idToBytes(accountId)} AND sandbox = ${Number(sandbox)}
        AND ${() => KEPT} AND id < ${before === null ? aboveAll : idToBytes(before)} ORDER BY id DESC LIMIT ${limit}`;
    return rows.map((row) => toJob(row, sandbox));
  }

  /** Expires a completed job: it becomes invisible, and its rows are deleted like those of an expired job. */
  async delete(owner: DataOwner, jobId: string): Promise<Deletion> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      UPDATE jobs SET expires_at = ${() => NOW} WHERE id = ${idToBytes(jobId)}
        AND account_id = ${idToBytes(owner.accountId)} AND sandbox = ${Number(owner.sandbox)}
        AND ${() => KEPT} AND ${() => IS_COMPLETED}`;
    if (affectedRows === 1) return 'deleted';
    const job = await this.findJob(owner, jobId);
    return job === null ? 'not_found' : 'processing';
  }

  /** Reads the JSON results at positions from `from` (inclusive) to `to` (exclusive), in order; skips missing ones. */
  async results(jobId: string, from: number, to: number): Promise<string[]> {
    const job = idToBytes(jobId);
    const rows = await this.dataSource.sql<JoinedResults[]>`
      SELECT position, results FROM job_results WHERE job_id = ${job} AND position >= ${rowOf(from)}
        AND position < ${to} ORDER BY position`;
    const results = splitResults(rows, from, to);
    if (results.includes(null))
      for (const { position, result } of await this.ownResults(job, from, to)) results[position - from] ??= result;
    return results.filter((result) => result !== null);
  }

  /** Reads results that stand in the rows of their entries: those of malformed entries, and of earlier releases. */
  private ownResults(job: Buffer, from: number, to: number): Promise<EntryResultText[]> {
    return this.dataSource.sql<EntryResultText[]>`SELECT position, result FROM job_entries
      WHERE job_id = ${job} AND position >= ${from} AND position < ${to} AND result IS NOT NULL`;
  }

  /** Reads entries at positions from `from` (inclusive) to `to` (exclusive), in order. */
  async entries(jobId: string, from: number, to: number): Promise<StoredEntry[]> {
    return this.dataSource.sql<StoredEntry[]>`
      SELECT sent, result FROM job_entries WHERE job_id = ${idToBytes(jobId)} AND position >= ${from}
        AND position < ${to} ORDER BY position`;
  }
}

/** Reads a job of any account, in a transaction that works on it: none of a sandbox, which need no work. */
export async function readJobWithin(transaction: EntityManager, id: Buffer): Promise<Job> {
  const [row] = await transaction.sql<JobRow[]>`SELECT ${() => JOB_COLUMNS} FROM jobs WHERE id = ${id}`;
  if (row === undefined) throw new Error('a job has vanished');
  return toJob(row, false);
}

function toJob(row: JobRow, sandbox: boolean): Job {
  return {
    ...row,
    id: idFromBytes(row.id),
    sandbox,
    done: row.status === 'completed' ? row.total : row.done,
    counts: readJson(row.counts),
  };
}
