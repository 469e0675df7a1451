import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inMs, NOW } from '../../platform/database/database-now.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { readListEntry } from '../../verify/batch-entry.js';
import type { JobMode } from '../job.js';
import type { ChunkKind } from '../../verify/bulk/retry-decision.js';
import { NOT_RELEASED, OPEN } from '../outcomes/job-sql.js';
import { readEntryFacts } from '../outcomes/entry-facts.js';
import { splitOutcomes } from '../outcomes/joined-outcomes.js';
import { readPositions, type OpenPositions } from './due-chunks.repository.js';
import type { OpenEntry } from '../outcomes/targets.js';

/** One run's hold on a chunk. */
export interface ChunkTurn {
  readonly jobId: string;
  readonly accountId: string;
  readonly number: number;
  /** Unique id of this hold. */
  readonly holder: string;
  readonly kind: ChunkKind;
  readonly priority: number;
  /** The egress that must probe these addresses; null: any. */
  readonly egress: string | null;
  /** Earlier runs that began and never reported back. */
  readonly begunBefore: number;
  /** Runs in a row that achieved nothing because of our own failure. */
  readonly failures: number;
  readonly mode: JobMode;
  /** Number of entries in the job. */
  readonly total: number;
  readonly arrivedAt: Date;
  /** At the claim: others may have ended entries since. */
  readonly positions: OpenPositions;
}

export type Claim =
  | { readonly kind: 'held'; readonly turn: ChunkTurn }
  /** The chunk is not due, or another run holds it. */
  | { readonly kind: 'later'; readonly afterMs: number }
  /** No work is left. */
  | { readonly kind: 'over' };

interface ChunkRow {
  kind: ChunkKind;
  state: 'due' | 'done';
  priority: number;
  egress: string | null;
  begun: number;
  failures: number;
  holder: Buffer | null;
  due_in: string | number;
  released: string | number;
  account_id: Buffer;
  mode: JobMode;
  total: number;
  created_at: Date;
  positions: string | null;
}

/** A holder that is silent for this long counts as dead. */
const HELD_MS = 30_000;
/** Interval at which a run renews its hold. */
export const RENEW_EVERY_MS = 8000;

/** Entries per query. */
const READ_AT_ONCE = 1000;
/** Upper bound of the delay before a run that came too early tries again. */
const LONGEST_WAIT_MS = 60_000;

/** Stores holds on chunks. While a run holds a chunk, `due_at` is the time when the hold expires. */
@Injectable()
export class ChunkTurnsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async claim(jobId: string, number: number): Promise<Claim> {
    const job = idToBytes(jobId);
    const holder = newId();
    const mark = idToBytes(holder);
    await this.dataSource.sql`
      UPDATE job_chunks SET begun = begun + 1, holder = ${mark}, due_at = ${() => inMs(HELD_MS)}
        WHERE job_id = ${job} AND number = ${number} AND state = 'due' AND due_at <= ${() => NOW}`;
    const [row] = await this.dataSource.sql<ChunkRow[]>`
      SELECT c.kind, c.state, c.priority, c.egress, c.begun, c.failures, c.holder, c.positions, j.mode, j.total,
        j.created_at, j.account_id, TIMESTAMPDIFF(MICROSECOND, ${() => NOW}, c.due_at) AS due_in,
          c.due_at < ${() => NOT_RELEASED} AS released
        FROM job_chunks c JOIN jobs j ON j.id = c.job_id WHERE c.job_id = ${job} AND c.number = ${number}`;
    // An unreleased chunk is queued later, when it is released.
    if (row === undefined || row.state === 'done' || Number(row.released) === 0) return { kind: 'over' };
    if (row.holder?.equals(mark) !== true) {
      return { kind: 'later', afterMs: Math.min(Math.max(0, Number(row.due_in) / 1000), LONGEST_WAIT_MS) };
    }
    const { kind, priority, egress, begun, failures, mode, total, created_at } = row;
    const accountId = idFromBytes(row.account_id);
    const run = { holder, begunBefore: begun - 1, failures };
    const turn = {
      jobId,
      accountId,
      number,
      ...run,
      kind,
      priority,
      egress,
      mode,
      total,
      arrivedAt: created_at,
      positions: readPositions(row.positions),
    };
    return { kind: 'held', turn };
  }

  async renew({ jobId, number, holder }: ChunkTurn): Promise<void> {
    await this.dataSource.sql`
      UPDATE job_chunks SET due_at = ${() => inMs(HELD_MS)} WHERE job_id = ${idToBytes(jobId)} AND number = ${number}
        AND holder = ${idToBytes(holder)} AND state = 'due'`;
  }

  /** Reads the entries of the chunk that were open at the claim, in order. */
  async entries({ jobId, number, positions }: ChunkTurn): Promise<OpenEntry[]> {
    const job = idToBytes(jobId);
    if (positions !== null) return this.entriesAt(job, positions);
    return this.dataSource.sql<OpenEntry[]>`
      SELECT position, sent FROM job_entries WHERE job_id = ${job} AND chunk = ${number} AND ${() => OPEN}
        ORDER BY position`;
  }

  private async entriesAt(job: Buffer, positions: readonly number[]): Promise<OpenEntry[]> {
    const ordered = positions.toSorted((one, other) => one - other);
    const entries: OpenEntry[] = [];
    for (let from = 0; from < ordered.length; from += READ_AT_ONCE) {
      const some = await this.dataSource.sql<OpenEntry[]>`
        SELECT position, sent FROM job_entries WHERE job_id = ${job}
          AND position IN (${ordered.slice(from, from + READ_AT_ONCE)}) ORDER BY position`;
      entries.push(...some);
    }
    return entries;
  }

  /** Reads the domains in the chunk that refused a random recipient. */
  async refusedRandom(turn: ChunkTurn): Promise<Set<string>> {
    const job = idToBytes(turn.jobId);
    const rows = await this.dataSource.sql<{ outcomes: string }[]>`
      SELECT outcomes FROM job_outcomes WHERE job_id = ${job} AND chunk = ${turn.number}`;
    const refused = rows.flatMap(({ outcomes }) => splitOutcomes(outcomes)).filter(({ facts }) => refusesRandom(facts));
    const entries = await this.entriesAt(
      job,
      refused.flatMap(({ positions }) => positions.slice(0, 1)),
    );
    const named = await this.refusedRandomNamed(turn);
    return new Set([...named, ...entries.flatMap(({ sent }) => domainOf(sent))]);
  }

  /** The same for entries that name their chunk. */
  private async refusedRandomNamed({ jobId, number }: ChunkTurn): Promise<Set<string>> {
    const rows = await this.dataSource.sql<{ sent: string; code: string | number | null }[]>`
      SELECT sent, JSON_EXTRACT(facts, '$.probe.code') AS code FROM job_entries
        WHERE job_id = ${idToBytes(jobId)} AND chunk = ${number}
          AND JSON_UNQUOTE(JSON_EXTRACT(facts, '$.probe.random')) = 'refused'`;
    return new Set(rows.filter(({ code }) => Number(code) !== 252).flatMap(({ sent }) => domainOf(sent)));
  }

  /**
   * Releases the hold on an unfinished chunk. The next run starts after `afterMs`.
   * @param failures the new count of failed runs in a row
   */
  async postpone({ jobId, number, holder }: ChunkTurn, afterMs: number, failures: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE job_chunks SET begun = 0, failures = ${failures}, holder = NULL, due_at = ${() => inMs(afterMs)},
        queued_at = due_at
        WHERE job_id = ${idToBytes(jobId)} AND number = ${number} AND holder = ${idToBytes(holder)} AND state = 'due'`;
  }
}

function refusesRandom(facts: string): boolean {
  const probe = readEntryFacts(facts)?.facts.probe;
  return probe?.random === 'refused' && probe.code !== 252;
}

function domainOf(sent: string): string[] {
  const entry = readListEntry(sent);
  return entry.kind === 'address' ? [entry.address.domain] : [];
}
