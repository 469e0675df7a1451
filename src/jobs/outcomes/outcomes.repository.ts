import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LedgerRepository } from '../../billing/ledger/ledger.repository.js';
import type { RefundPart } from '../../billing/ledger/refund-parts.js';
import { unitPrice } from '../../billing/price.js';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { NOW } from '../../platform/database/database-now.js';
import { WriteBatcher } from '../../platform/batching/write-batcher.js';
import { BoundedSemaphore } from '../../platform/scheduling/bounded-semaphore.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { CachedCheck } from '../../verify/cache/cached-check.js';
import { catchAllEvidence } from '../../verify/cache/catch-all-evidence.js';
import { CheckCacheRepository } from '../../verify/cache/check-cache.repository.js';
import { endChunks, lockDueChunks } from '../chunks/due-chunks.repository.js';
import { writeEntryFacts } from './entry-facts.js';
import { OPEN } from './job-sql.js';
import { storeJoined, type JoinedOutcomes } from './joined-outcomes.repository.js';
import type { Outcome, OutcomeSource } from './outcome.js';

/** Findings to store in one transaction. */
export interface Findings {
  readonly outcomes: readonly Outcome[];
  /** Checks to put on record that are not outcomes: those of greylisted addresses. */
  readonly checks: readonly CachedCheck[];
}

/** Result of storing findings. */
export interface Stored {
  /** Entries that got their outcome in this call, by source. */
  readonly written: ReadonlyMap<OutcomeSource, number>;
  /** Entries of the job that have their outcome. */
  readonly done: number;
}

/** Result of storing findings of a chunk. */
export interface StoredOfChunk extends Stored {
  /** These were the chunk's last outcomes, and have ended it. */
  readonly isEnded: boolean;
}

interface ChunkFindings {
  readonly chunk: number;
  readonly findings: Findings;
}

/** A row of `job_entries` to write; its price may have changed. */
type EntryRow = [job: Buffer, position: number, price: number, facts: string | null, error: string | null];

/**
 * Transactions at once in a process. Transactions of one job wait for each other at its row, and must not occupy the
 * connection pool meanwhile.
 */
const AT_ONCE = 6;
const MAX_WAITING = 1000;
const MAX_WAIT_MS = 30_000;
/** A job begins a transaction this often at most: chunks that end meanwhile share the next one. */
const STORED_EVERY_MS = 50;
/** Maximum number of entries and checks in a transaction of several chunks. */
const MOST_TOGETHER = 1000;
const NOTHING_WRITTEN: Stored['written'] = new Map();
const STANDARD_RATE = unitPrice({ mode: 'enhanced', knownCatchAll: true });

/**
 * Stores outcomes of entries in one transaction with the checks to put on record, catch-all evidence, refunds and the
 * job's progress. It writes, counts and refunds only entries without an outcome.
 *
 * Lock order: chunk, entries, checks on record, domains, balance, job. A planner locks the job first, but no one else
 * works on the job then. A transaction that hits a deadlock starts again.
 */
@Injectable()
export class OutcomesRepository {
  private readonly semaphore = new BoundedSemaphore({
    permits: AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });
  private readonly chunks = new WriteBatcher<ChunkFindings, StoredOfChunk | null>({
    write: (findings, jobId) => this.storeForChunks(jobId, findings),
    sizeOf: ({ findings: { outcomes, checks } }) =>
      outcomes.reduce((sum, { positions }) => sum + positions.length, checks.length),
    maxSize: MOST_TOGETHER,
    isolatesErrors: true,
    everyMs: STORED_EVERY_MS,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: CheckCacheRepository,
    private readonly catchAll: CatchAllRepository,
    private readonly ledger: LedgerRepository,
  ) {}

  /** @returns null if the job is planned already: nothing was stored */
  storeForPlan(jobId: string, findings: Findings): Promise<Stored | null> {
    return this.transaction(async (transaction) => {
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
        UPDATE jobs SET begun = 0, touched_at = ${() => NOW} WHERE id = ${idToBytes(jobId)} AND stage = 'new'`;
      return affectedRows === 0 ? null : this.storeWithin(transaction, jobId, findings);
    });
  }

  /**
   * Chunks of one job that store at the same time share a transaction; otherwise each would wait for the others'
   * commits at the job's row.
   * @returns null if the chunk is done: nothing was stored. Only one caller of a shared transaction gets its counts
   */
  storeForChunk(jobId: string, chunk: number, findings: Findings): Promise<StoredOfChunk | null> {
    return this.chunks.write({ chunk, findings }, jobId);
  }

  private storeForChunks(jobId: string, findings: readonly ChunkFindings[]): Promise<(StoredOfChunk | null)[]> {
    const job = idToBytes(jobId);
    return this.transaction(async (transaction) => {
      const numbers = findings.map(({ chunk }) => chunk);
      const due = await lockDueChunks(transaction, job, numbers);
      const meant = findings.filter(({ chunk }) => due.has(chunk));
      if (meant.length === 0) return findings.map(() => null);
      const joined: JoinedOutcomes[] = [];
      const unnoted: number[] = [];
      const ended = new Set<number>();
      for (const [chunk, dueChunk] of due) {
        const outcomes = meant.filter((each) => each.chunk === chunk).flatMap((each) => each.findings.outcomes);
        const stored = await storeJoined(transaction, job, { ...dueChunk, chunk, outcomes });
        joined.push(stored);
        if (!stored.isNoted) unnoted.push(chunk);
        if (stored.isEnded) ended.add(chunk);
      }
      if (ended.size > 0) await endChunks(transaction, job, [...ended]);
      if (unnoted.length > 0) await noteAlive(transaction, job, unnoted);
      const { written, done } = await this.storeWithin(
        transaction,
        jobId,
        {
          outcomes: joined.flatMap(({ left }) => left),
          checks: meant.flatMap((each) => [...each.findings.outcomes.flatMap(checkOf), ...each.findings.checks]),
        },
        joined.flatMap((each) => each.written),
      );
      return findings.map((each) => {
        if (!due.has(each.chunk)) return null;
        return { written: each === meant[0] ? written : NOTHING_WRITTEN, done, isEnded: ended.has(each.chunk) };
      });
    });
  }

  /**
   * The transaction must keep others from the entries.
   * @param before outcomes that it has stored already
   */
  async storeWithin(
    transaction: EntityManager,
    jobId: string,
    { outcomes, checks }: Findings,
    before: readonly Outcome[] = [],
  ): Promise<Stored> {
    const job = idToBytes(jobId);
    const open = await lockOpen(
      transaction,
      job,
      outcomes.flatMap(({ positions }) => positions),
    );
    const rows: EntryRow[] = [];
    const refunds: RefundPart[] = [];
    const written = countBySource(before);
    for (const outcome of outcomes) {
      const facts = outcome.kind === 'facts' ? writeEntryFacts(outcome.facts) : null;
      for (const position of outcome.positions) {
        const charged = open.get(position);
        if (charged === undefined) continue;
        const price = priceOf(outcome, charged);
        rows.push([job, position, price, facts, facts === null ? 'verify_unavailable' : null]);
        if (price < charged) refunds.push({ part: `${position}-rate`, credits: charged - price, staysPaid: true });
        if (facts === null && price > 0) refunds.push({ part: String(position), credits: price });
        written.set(sourceOf(outcome), (written.get(sourceOf(outcome)) ?? 0) + 1);
      }
    }
    if (rows.length > 0) await writeEntries(transaction, rows);
    await this.putOnRecord(transaction, [...outcomes.flatMap(checkOf), ...checks]);
    if (refunds.length > 0) await this.ledger.refundWithin(transaction, `job:${jobId}`, refunds);
    const entries = [...written.values()].reduce((sum, some) => sum + some, 0);
    return { written, done: await noteProgress(transaction, job, entries) };
  }

  private transaction<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.semaphore.run(() => retriedTransaction(this.dataSource, work));
  }

  private async putOnRecord(transaction: EntityManager, checks: readonly CachedCheck[]): Promise<void> {
    const byHash = new Map(checks.map((check) => [check.hash, check]));
    if (byHash.size === 0) return;
    await this.cache.storeWithin(transaction, [...byHash.values()]);
    const evidence = new Map<string, CachedCheck>();
    for (const check of byHash.values()) if (catchAllEvidence(check.facts) !== null) evidence.set(check.domain, check);
    const { catchAll } = this;
    for (const [domain, { facts, checkedAt }] of [...evidence].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      if (catchAllEvidence(facts) === 'catch_all') await catchAll.learnWithin(transaction, domain, checkedAt);
      else await catchAll.unlearnWithin(transaction, domain, checkedAt);
    }
  }
}

/** Resets `begun`: the runs of these chunks are alive. */
async function noteAlive(transaction: EntityManager, job: Buffer, chunks: readonly number[]): Promise<void> {
  await transaction.sql`UPDATE job_chunks SET begun = 0 WHERE job_id = ${job} AND number IN (${chunks}) AND begun > 0`;
}

function countBySource(outcomes: readonly Outcome[]): Map<OutcomeSource, number> {
  const counts = new Map<OutcomeSource, number>();
  for (const outcome of outcomes) {
    counts.set(sourceOf(outcome), (counts.get(sourceOf(outcome)) ?? 0) + outcome.positions.length);
  }
  return counts;
}

function sourceOf(outcome: Outcome): OutcomeSource {
  return outcome.kind === 'facts' ? outcome.source : 'unavailable';
}

/** Locks the entries without an outcome, and returns their prices by position. */
async function lockOpen(
  transaction: EntityManager,
  job: Buffer,
  positions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (positions.length === 0) return new Map();
  const rows = await transaction.sql<{ position: number; unit_price: number }[]>`
    SELECT position, unit_price FROM job_entries FORCE INDEX (PRIMARY)
      WHERE job_id = ${job} AND position IN (${positions}) AND ${() => OPEN} ORDER BY position FOR UPDATE`;
  return new Map(rows.map(({ position, unit_price }) => [position, unit_price]));
}

/** The rows must exist and be locked. */
async function writeEntries(transaction: EntityManager, rows: readonly EntryRow[]): Promise<void> {
  await transaction.sql`INSERT INTO job_entries (job_id, position, unit_price, facts, error) VALUES ${rows}
    ON DUPLICATE KEY UPDATE unit_price = VALUES(unit_price), facts = VALUES(facts), error = VALUES(error)`;
}

/**
 * Must be the last statement of a transaction, because all chunks of a job lock its row. `LAST_INSERT_ID` returns the
 * new count without another round trip under that lock.
 * @returns how many entries have their outcome now
 */
async function noteProgress(transaction: EntityManager, job: Buffer, entries: number): Promise<number> {
  const { insertId } = await transaction.sql<{ insertId: number | string }>`
    UPDATE jobs SET stage = IF(stage = 'planned' AND done + ${entries} >= total, 'shaping', stage),
      done = LAST_INSERT_ID(done + ${entries}), touched_at = ${() => NOW} WHERE id = ${job}`;
  return Number(insertId);
}

function checkOf(outcome: Outcome): CachedCheck[] {
  return outcome.kind === 'facts' && outcome.check !== null ? [outcome.check] : [];
}

function priceOf(outcome: Outcome, charged: number): number {
  return outcome.kind === 'facts' && outcome.knownCatchAll ? Math.min(charged, STANDARD_RATE) : charged;
}
