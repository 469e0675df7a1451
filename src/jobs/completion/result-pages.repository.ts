import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Result } from '../../engine/verdict/result.js';
import { LedgerRepository } from '../../billing/ledger/ledger.repository.js';
import { groupBy } from '../../platform/collections/group-by.js';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { runBound } from '../../platform/database/run-bound.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { JobEventsRepository } from '../job-events.repository.js';
import type { JobMode, VerdictCounts } from '../job.js';
import { readJobWithin } from '../job.repository.js';
import { joinResults, rowOf } from '../joined-results.js';
import { splitOutcomes } from '../outcomes/joined-outcomes.js';
import { countVerdicts, totalOf } from './verdict-counts.repository.js';

/** An entry whose result is not written yet. */
export interface FinishedEntry {
  readonly position: number;
  /** The address as it was sent. */
  readonly sent: string;
  readonly error: string | null;
  /** As stored: see `readEntryFacts`. */
  readonly facts: unknown;
}

/** JSON text of an entry's result. `failed`: the entry has no usable result, and is refunded. */
export interface WrittenEntry {
  readonly position: number;
  readonly result: string;
  /** Left out where it has none, but an error. */
  readonly verdict?: Result;
  readonly failed: boolean;
}

/** A job whose results are to be written, and the key that submitted it. */
export interface JobToWrite {
  readonly mode: JobMode;
  readonly total: number;
  readonly accountId: string;
  readonly keyId: string;
}

interface JobToWriteRow {
  mode: JobMode;
  total: number;
  stage: string;
  account_id: Buffer;
  key_id: Buffer;
}

interface EntryPrice {
  position: number;
  unit_price: number;
}

const WRITE_RESULTS = `INSERT INTO job_results (job_id, position, counts, results) VALUES (?, ?, ?, ?)
  ON DUPLICATE KEY UPDATE counts = VALUES(counts), results = VALUES(results)`;

/** Rolls a transaction back. */
class NotWritingResults extends Error {}

/** Stores results of jobs whose entries all have their outcome, and completes the jobs. */
@Injectable()
export class ResultPagesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerRepository,
    private readonly events: JobEventsRepository,
  ) {}

  /**
   * Starts to write results. @returns the job's mode, number of entries and owner; null if the job is not ready or
   * already completed
   */
  async beginWriting(jobId: string): Promise<JobToWrite | null> {
    const job = idToBytes(jobId);
    const [row] = await this.dataSource.sql<JobToWriteRow[]>`SELECT mode, total, stage, account_id, key_id FROM jobs
      WHERE id = ${job} AND (stage = 'shaping' OR (stage = 'planned' AND done >= total))`;
    if (row === undefined) return null;
    // The job was ended, with no entry left open.
    if (row.stage === 'planned') {
      await this.dataSource.sql`UPDATE jobs SET stage = 'shaping' WHERE id = ${job} AND stage = 'planned'`;
    }
    const { mode, total, account_id, key_id } = row;
    return { mode, total, accountId: idFromBytes(account_id), keyId: idFromBytes(key_id) };
  }

  /**
   * Reads entries without a result, at positions from `from` (inclusive) to `to` (exclusive). They must be those of one
   * `write`: it has written all of them, or none.
   */
  async entries(jobId: string, from: number, to: number): Promise<FinishedEntry[]> {
    const job = idToBytes(jobId);
    return this.dataSource.sql<FinishedEntry[]>`SELECT position, sent, error, facts FROM job_entries
      WHERE job_id = ${job} AND position >= ${from} AND position < ${to} AND result IS NULL
        AND NOT EXISTS (SELECT 1 FROM job_results WHERE job_id = ${job} AND position >= ${rowOf(from)}
          AND position < ${to}) ORDER BY position`;
  }

  /** Reads the facts of entries whose rows do not hold them, by position. See `readEntryFacts`. */
  async joinedFacts(jobId: string): Promise<ReadonlyMap<number, string>> {
    const rows = await this.dataSource.sql<{ outcomes: string }[]>`
      SELECT outcomes FROM job_outcomes WHERE job_id = ${idToBytes(jobId)}`;
    const found = new Map<number, string>();
    for (const { outcomes } of rows) {
      for (const { positions, facts } of splitOutcomes(outcomes)) {
        for (const position of positions) found.set(position, facts);
      }
    }
    return found;
  }

  /**
   * Several writes of one job may run at once. Each updates the job's row last, as everywhere, so that they wait only
   * for each other's commit.
   * @returns false if another worker completed the job: nothing is written
   */
  async write(jobId: string, entries: readonly WrittenEntry[]): Promise<boolean> {
    const job = idToBytes(jobId);
    const failed = entries.filter((entry) => entry.failed).map(({ position }) => position);
    const rows = joinedRows(job, entries);
    try {
      await retriedTransaction(this.dataSource, async (transaction) => {
        for (const row of rows) await runBound(transaction, WRITE_RESULTS, row);
        if (failed.length > 0) await this.refund(transaction, jobId, failed);
        const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
          UPDATE jobs SET touched_at = ${() => NOW} WHERE id = ${job} AND stage = 'shaping'`;
        if (affectedRows === 0) throw new NotWritingResults();
      });
      return true;
    } catch (error) {
      if (error instanceof NotWritingResults) return false;
      throw error;
    }
  }

  /** Completes the job, which makes its results visible. @returns false if the job is completed already */
  async complete(jobId: string): Promise<boolean> {
    const job = idToBytes(jobId);
    const due = await retriedTransaction(this.dataSource, async (transaction) => {
      const [row] = await transaction.sql<{ account_id: Buffer; total: number; webhook: number }[]>`
        SELECT account_id, total, webhook FROM jobs WHERE id = ${job} AND stage = 'shaping' FOR UPDATE`;
      if (row === undefined) return null;
      const counts = await countVerdicts(transaction, job);
      if (totalOf(counts) !== row.total) throw new Error('a job with an entry that has no result is not completed');
      await transaction.sql`
        UPDATE jobs SET status = 'completed', stage = 'done', done = total, counts = ${JSON.stringify(counts)},
          completed_at = ${() => NOW}, touched_at = ${() => NOW} WHERE id = ${job}`;
      if (row.webhook === 0) return [];
      const owner = { accountId: idFromBytes(row.account_id), sandbox: false };
      return this.events.writeWithin(transaction, owner, () => readJobWithin(transaction, job));
    });
    if (due === null) return false;
    this.events.queue(due);
    return true;
  }

  private async refund(transaction: EntityManager, jobId: string, positions: readonly number[]): Promise<void> {
    const job = idToBytes(jobId);
    const rows = await transaction.sql<EntryPrice[]>`
      SELECT position, unit_price FROM job_entries WHERE job_id = ${job} AND position IN (${positions})
        AND error IS NULL FOR UPDATE`;
    if (rows.length === 0) return;
    await transaction.sql`
      UPDATE job_entries SET error = 'verify_unavailable' WHERE job_id = ${job}
        AND position IN (${rows.map(({ position }) => position)})`;
    const parts = rows
      .filter(({ unit_price }) => unit_price > 0)
      .map(({ position, unit_price }) => ({ part: String(position), credits: unit_price }));
    if (parts.length > 0) await this.ledger.refundWithin(transaction, `job:${jobId}`, parts);
  }
}

/** Returns the values of a row for each hundred positions. */
function joinedRows(job: Buffer, entries: readonly WrittenEntry[]): [Buffer, number, string, string][] {
  const together = groupBy(entries, ({ position }) => rowOf(position));
  return [...together].map(([position, own]) => [job, position, JSON.stringify(countsOf(own)), joinResults(own)]);
}

function countsOf(entries: readonly WrittenEntry[]): Partial<VerdictCounts> {
  const counts: { -readonly [Verdict in keyof VerdictCounts]?: number } = {};
  for (const { verdict = 'error' } of entries) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}
