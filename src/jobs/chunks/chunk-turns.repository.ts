import type { DataSource } from 'typeorm';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { readListEntry } from '../../verify/batch-entry.js';
import type { JobMode } from '../job.js';
import type { ChunkKind } from '../outcomes/ending.js';
import { inMs, NOT_RELEASED, NOW, OPEN } from '../outcomes/job-sql.js';
import { SEVERAL_GROUPS } from './new-chunks.repository.js';
import type { OpenEntry } from '../outcomes/targets.js';

/** A hold on a chunk. */
export interface ChunkTurn {
  readonly jobId: string;
  /** Whose job it is. */
  readonly accountId: string;
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
  account_id: Buffer;
  mode: JobMode;
  total: number;
  created_at: Date;
}

/** A holder that is not heard of for so long is taken for dead. */
const HELD_MS = 30_000;
/** How often a holder has to be heard of. */
export const RENEW_EVERY_MS = 8000;

/** Who comes too early asks again after so long at the latest. */
const LONGEST_WAIT_MS = 60_000;

/** Holds on chunks. While one is held it is not due: `due_at` says when the hold ends by itself. */
export class ChunkTurnsRepository {
  constructor(private readonly dataSource: DataSource) {}

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
      `SELECT c.group_name, c.kind, c.state, c.priority, c.egress, c.begun, c.failures, c.holder, j.mode, j.total, j.created_at, j.account_id,
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
    const accountId = idFromBytes(row.account_id);
    const run = { holder, begunBefore: begun - 1, failures };
    const mayRelease = row.group_name !== SEVERAL_GROUPS;
    const turn = {
      jobId,
      accountId,
      number,
      ...run,
      kind,
      mayRelease,
      priority,
      egress,
      mode,
      total,
      arrivedAt: created_at,
    };
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
}

function domainOf(sent: string): string[] {
  const entry = readListEntry(sent);
  return entry.kind === 'address' ? [entry.address.domain] : [];
}
