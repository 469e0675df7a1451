import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import type { AccountData } from '../../auth/deletion/account-data.repository.js';
import type { JobMode } from '../../jobs/job.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { readJson } from '../../platform/database/read-json.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { PartSummary } from './summarize-results.js';

export interface NewList {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly fileName: string | null;
  readonly mode: JobMode;
  readonly parts: number;
  readonly total: number;
  /** Id of the user. */
  readonly createdBy: string | null;
}

/** A list and how far its jobs are. */
export interface List extends NewList {
  /** Name of the user who uploaded it; null: the user is gone. */
  readonly createdByName: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** By the database's clock. */
  readonly now: Date;
  readonly jobs: readonly ListJob[];
}

/** A part that was submitted. */
export interface ListJob {
  readonly part: number;
  readonly jobId: string;
  readonly total: number;
  readonly done: number;
  readonly createdAt: Date;
  /** Null: it is processing. */
  readonly completedAt: Date | null;
}

export interface StoredPart {
  readonly jobId: string;
  readonly content: Buffer;
}

interface ListRow extends Omit<List, 'id' | 'accountId' | 'createdBy' | 'jobs'> {
  id: Buffer;
  accountId: Buffer;
  createdBy: Buffer | null;
}

interface JobRow {
  list_id: Buffer;
  number: number;
  job_id: Buffer;
  total: number;
  done: number | null;
  created_at: Date | null;
  completed_at: Date | null;
}

const KEPT_DAYS = 7;
const ERASED_AT_ONCE = 200;
const COLUMNS = `l.id, l.account_id AS accountId, l.name, l.file_name AS fileName, l.mode, l.parts, l.total,
  l.created_by AS createdBy, u.name AS createdByName, l.created_at AS createdAt, l.expires_at AS expiresAt, ${NOW} AS now`;
const FROM = 'FROM lists l LEFT JOIN users u ON u.id = l.created_by';
const KEPT = `l.expires_at > ${NOW}`;

/** Lists that were uploaded in the console. Raw SQL: their state is that of their jobs, read with them. */
@Injectable()
export class ListsRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores nothing for an account that is gone: the statement locks its row against its deletion. */
  insert(list: NewList, actor: Actor): Promise<void> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      const { affectedRows } = await insertList(transaction, list);
      if (affectedRows > 0)
        await appendAudit(transaction, { actor, action: 'list.create', accountId: list.accountId, subject: list.id });
    });
  }

  async find(accountId: string, id: string): Promise<List | null> {
    const rows = await this.dataSource.sql<ListRow[]>`
      SELECT ${() => COLUMNS} ${() => FROM}
        WHERE l.id = ${idToBytes(id)} AND l.account_id = ${idToBytes(accountId)} AND ${() => KEPT}`;
    const [list] = await this.withJobs(rows);
    return list ?? null;
  }

  /** The newest first. @param before id of the last list of the previous page */
  async list(accountId: string, before: string | null, limit: number): Promise<List[]> {
    const rows = await this.dataSource.sql<ListRow[]>`
      SELECT ${() => COLUMNS} ${() => FROM} WHERE l.account_id = ${idToBytes(accountId)} AND ${() => KEPT}
          AND l.id < ${before === null ? Buffer.alloc(16, 0xff) : idToBytes(before)}
        ORDER BY l.id DESC LIMIT ${limit}`;
    return this.withJobs(rows);
  }

  async part(listId: string, number: number, transaction = this.dataSource.manager): Promise<StoredPart | null> {
    const [row] = await transaction.sql<{ job_id: Buffer; content: Buffer }[]>`
      SELECT job_id, content FROM list_parts WHERE list_id = ${idToBytes(listId)} AND number = ${number}`;
    return row === undefined ? null : { jobId: idFromBytes(row.job_id), content: row.content };
  }

  /**
   * Stores a part with its job. The primary key makes sure that a part has one job.
   * @returns false if the list is gone
   */
  async insertPartWithin(
    transaction: EntityManager,
    part: StoredPart & { readonly listId: string; readonly number: number; readonly total: number },
  ): Promise<boolean> {
    const list = idToBytes(part.listId);
    // A deletion of the list waits for this, and sees the part.
    const rows = await transaction.sql<unknown[]>`
      SELECT id FROM lists WHERE id = ${list} AND expires_at > ${() => NOW} LOCK IN SHARE MODE`;
    if (rows.length === 0) return false;
    await transaction.sql`
      INSERT INTO list_parts (list_id, number, job_id, content, total)
        VALUES (${list}, ${part.number}, ${idToBytes(part.jobId)}, ${part.content}, ${part.total})`;
    return true;
  }

  /** What the submits of these jobs took, by job. */
  async charged(jobIds: readonly string[]): Promise<ReadonlyMap<string, { credits: number; freeVerifies: number }>> {
    if (jobIds.length === 0) return new Map();
    const rows = await this.dataSource.sql<{ reference: string; credits: string; free_verifies: string | number }[]>`
      SELECT reference, -(purchased + gifted) AS credits, -free_verifies AS free_verifies FROM ledger_entries
        WHERE reference IN (${jobIds.map((id) => `job:${id}`)})`;
    return new Map(
      rows.map(({ reference, credits, free_verifies }) => [
        reference.slice('job:'.length),
        { credits: Number(credits), freeVerifies: Number(free_verifies) },
      ]),
    );
  }

  /** Summaries on record, by part. */
  async summaries(listId: string): Promise<ReadonlyMap<number, PartSummary>> {
    const rows = await this.dataSource.sql<{ number: number; summary: PartSummary | string }[]>`
      SELECT number, summary FROM list_parts WHERE list_id = ${idToBytes(listId)} AND summary IS NOT NULL`;
    return new Map(rows.map(({ number, summary }) => [number, readJson(summary)]));
  }

  async storeSummary(listId: string, part: number, summary: PartSummary): Promise<void> {
    await this.dataSource.sql`
      UPDATE list_parts SET summary = ${JSON.stringify(summary)} WHERE list_id = ${idToBytes(listId)}
        AND number = ${part}`;
  }

  /** Deletes a list and expires its jobs, unless one of them is processing. */
  delete(accountId: string, id: string, actor: Actor): Promise<'deleted' | 'processing' | 'not_found'> {
    const list = idToBytes(id);
    return retriedTransaction(this.dataSource, async (transaction) => {
      const rows = await transaction.sql<unknown[]>`SELECT l.id FROM lists l
        WHERE l.id = ${list} AND l.account_id = ${idToBytes(accountId)} AND ${() => KEPT} FOR UPDATE`;
      if (rows.length === 0) return 'not_found';
      const jobs = await transaction.sql<{ id: Buffer; status: string }[]>`
        SELECT j.id, j.status FROM list_parts p JOIN jobs j ON j.id = p.job_id WHERE p.list_id = ${list}`;
      if (jobs.some(({ status }) => status === 'processing')) return 'processing';
      if (jobs.length > 0) {
        await transaction.sql`
          UPDATE jobs SET expires_at = ${() => NOW} WHERE id IN (${jobs.map((job) => job.id)})
            AND expires_at > ${() => NOW}`;
      }
      await transaction.sql`DELETE FROM list_parts WHERE list_id = ${list}`;
      await transaction.sql`DELETE FROM lists WHERE id = ${list}`;
      await appendAudit(transaction, { actor, action: 'list.delete', accountId, subject: id });
      return 'deleted';
    });
  }

  /** Deletes up to `limit` expired lists. @returns the number deleted */
  @PurgeEvery(10 * 60_000, 'delete-expired-lists')
  async deleteExpired(limit: number): Promise<number> {
    const rows = await this.dataSource.sql<{ id: Buffer }[]>`
      SELECT id FROM lists WHERE expires_at <= ${() => NOW} ORDER BY expires_at LIMIT ${limit}`;
    await this.deleteRows(rows.map(({ id }) => id));
    return rows.length;
  }

  async count(accountId: string): Promise<{ readonly lists: number }> {
    const [row] = await this.dataSource.sql<{ lists: string }[]>`
      SELECT COUNT(*) AS lists FROM lists WHERE account_id = ${idToBytes(accountId)}`;
    return { lists: Number(row!.lists) };
  }

  async erase(accountId: string): Promise<void> {
    for (;;) {
      const rows = await this.dataSource.sql<{ id: Buffer }[]>`
        SELECT id FROM lists WHERE account_id = ${idToBytes(accountId)} LIMIT ${ERASED_AT_ONCE}`;
      await this.deleteRows(rows.map(({ id }) => id));
      if (rows.length < ERASED_AT_ONCE) return;
    }
  }

  /** Without their jobs. */
  private async deleteRows(ids: readonly Buffer[]): Promise<void> {
    for (const id of ids) {
      await retriedTransaction(this.dataSource, async (transaction) => {
        await transaction.sql`SELECT id FROM lists WHERE id = ${id} FOR UPDATE`;
        await transaction.sql`DELETE FROM list_parts WHERE list_id = ${id}`;
        await transaction.sql`DELETE FROM lists WHERE id = ${id}`;
      });
    }
  }

  private async withJobs(lists: readonly ListRow[]): Promise<List[]> {
    if (lists.length === 0) return [];
    const rows = await this.dataSource.sql<JobRow[]>`
      SELECT p.list_id, p.number, p.job_id, p.total, IF(j.status = 'completed', j.total, j.done) AS done,
        j.created_at, j.completed_at
        FROM list_parts p LEFT JOIN jobs j ON j.id = p.job_id WHERE p.list_id IN (${lists.map(({ id }) => id)})
          ORDER BY p.number`;
    return lists.map((list) => toList(list, rows.filter(({ list_id }) => list_id.equals(list.id)).map(toListJob)));
  }
}

function toList(row: ListRow, jobs: readonly ListJob[]): List {
  return {
    ...row,
    id: idFromBytes(row.id),
    accountId: idFromBytes(row.accountId),
    createdBy: row.createdBy && idFromBytes(row.createdBy),
    jobs,
  };
}

/** A job whose rows are gone was deleted after it was completed. */
function toListJob({ number, job_id, total, done, created_at, completed_at }: JobRow): ListJob {
  const isGone = created_at === null;
  return {
    part: number,
    jobId: idFromBytes(job_id),
    total,
    done: isGone ? total : Number(done),
    createdAt: created_at ?? new Date(0),
    completedAt: isGone ? new Date(0) : completed_at,
  };
}

function insertList(transaction: EntityManager, list: NewList): Promise<{ affectedRows: number }> {
  return transaction.sql`
    INSERT INTO lists (id, account_id, name, file_name, mode, parts, total, created_by, created_at, expires_at)
      SELECT ${idToBytes(list.id)}, a.id, ${list.name}, ${list.fileName}, ${list.mode}, ${list.parts}, ${list.total},
        ${list.createdBy === null ? null : idToBytes(list.createdBy)}, ${() => NOW},
        ${() => NOW} + INTERVAL ${KEPT_DAYS} DAY FROM accounts a WHERE a.id = ${idToBytes(list.accountId)}`;
}
