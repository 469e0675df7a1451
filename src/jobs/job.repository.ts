import type { DataSource, EntityManager } from 'typeorm';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';
import { entryBatches } from './entry-batches.js';
import type { Job, JobMode, JobOwner, JobStatus } from './job.js';
import type { NewEntry } from './new-entries.js';

/** A job to be stored. */
export interface NewJob extends Job {
  readonly owner: JobOwner;
  /** The key it was submitted with. */
  readonly keyId: string;
  /** When it will be completed by itself, as one of the sandbox is; null: when its work is done. */
  readonly completedAt: Date | null;
}

/** An entry that has its result, or of which it is derived. */
export type StoredEntry = Pick<NewEntry, 'sent' | 'result'>;

export type Deletion = 'deleted' | 'processing' | 'not_found';

interface JobRow {
  id: Buffer;
  mode: JobMode;
  status: JobStatus;
  total: number;
  done: number;
  created_at: Date;
  expires_at: Date;
}

/** The moment it is, UTC, by the database's clock. */
const NOW = 'UTC_TIMESTAMP(3)';
/** The moment of completion may be set before it has come. */
const IS_COMPLETED = `status = 'completed' AND completed_at <= ${NOW}`;
const JOB_COLUMNS = `id, mode, IF(${IS_COMPLETED}, 'completed', 'processing') AS status, total, done, created_at, expires_at`;
/** Of this account, and not over yet. */
const VISIBLE = `account_id = ? AND sandbox = ? AND expires_at > ${NOW}`;
/** Characters that a statement takes as they are; what has more is sent in a form that needs no quoting. */
const MAX_PLAIN_CHARACTERS = 1024 * 1024;

/** Jobs as those see them who submit them. One that is expired or deleted is not there. */
export class JobRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The moment it is by the clock that jobs expire by. */
  async now(): Promise<Date> {
    const [row] = await this.dataSource.query<{ now: Date }[]>(`SELECT ${NOW} AS now`);
    return row!.now;
  }

  /** Stores a job and its entries, in the order of the list. */
  async insertWithin(transaction: EntityManager, job: NewJob, entries: readonly NewEntry[]): Promise<void> {
    const id = idToBytes(job.id);
    // One that completes by itself is no worker's business.
    const [status, stage] = job.completedAt === null ? ['processing', 'new'] : ['completed', 'done'];
    await transaction.query(
      `INSERT INTO jobs (id, account_id, key_id, sandbox, mode, status, stage, total, done, created_at, completed_at,
        expires_at, touched_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        idToBytes(job.owner.accountId),
        idToBytes(job.keyId),
        Number(job.owner.sandbox),
        job.mode,
        status,
        stage,
        job.total,
        job.done,
        job.createdAt,
        job.completedAt,
        job.expiresAt,
        job.createdAt,
      ],
    );
    for (const { from, entries: batch } of entryBatches(entries)) {
      const rows = batch.map(({ sent, unitPrice, result }, i) => {
        const isPlain = result === null || result.length <= MAX_PLAIN_CHARACTERS;
        const error = sent === null ? 'invalid_email' : null;
        return [id, from + i, sent, error, unitPrice, isPlain ? result : null];
      });
      await transaction.query('INSERT INTO job_entries (job_id, position, sent, error, unit_price, result) VALUES ?', [
        rows,
      ]);
      // Larger than a batch, it is alone in it.
      const [first] = batch;
      if (first?.result != null && first.result.length > MAX_PLAIN_CHARACTERS) {
        await writeLongResult(transaction, id, from, first.result);
      }
    }
  }

  /**
   * Whether a job was stored, whatever became of the connection that stored it.
   * @throws what the driver throws while its transaction is still under way
   */
  async stands(jobId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>('SELECT id FROM jobs WHERE id = ? FOR UPDATE NOWAIT', [
      idToBytes(jobId),
    ]);
    return rows.length > 0;
  }

  async find({ accountId, sandbox }: JobOwner, jobId: string): Promise<Job | null> {
    const [row] = await this.dataSource.query<JobRow[]>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ? AND ${VISIBLE}`, [
      idToBytes(jobId),
      idToBytes(accountId),
      Number(sandbox),
    ]);
    return row === undefined ? null : toJob(row, sandbox);
  }

  /** Newest first. @param before id of the last job of the page before; null: from the newest on */
  async list({ accountId, sandbox }: JobOwner, before: string | null, limit: number): Promise<Job[]> {
    const rows = await this.dataSource.query<JobRow[]>(
      `SELECT ${JOB_COLUMNS} FROM jobs WHERE ${VISIBLE} AND id < ? ORDER BY id DESC LIMIT ?`,
      // Above every id.
      [idToBytes(accountId), Number(sandbox), before === null ? Buffer.alloc(16, 0xff) : idToBytes(before), limit],
    );
    return rows.map((row) => toJob(row, sandbox));
  }

  /** Ends a completed job's time: from now on it is not to be seen, and its rows go as those of an expired one. */
  async delete(owner: JobOwner, jobId: string): Promise<Deletion> {
    const { affectedRows } = await this.dataSource.query<{ affectedRows: number }>(
      `UPDATE jobs SET expires_at = ${NOW} WHERE id = ? AND ${VISIBLE} AND ${IS_COMPLETED}`,
      [idToBytes(jobId), idToBytes(owner.accountId), Number(owner.sandbox)],
    );
    if (affectedRows === 1) return 'deleted';
    const job = await this.find(owner, jobId);
    return job === null ? 'not_found' : 'processing';
  }

  /** JSON texts of the results at positions from `from` to before `to`, in order; those that are not there are left out. */
  async results(jobId: string, from: number, to: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ result: string }[]>(
      `SELECT result FROM job_entries
        WHERE job_id = ? AND position >= ? AND position < ? AND result IS NOT NULL ORDER BY position`,
      [idToBytes(jobId), from, to],
    );
    return rows.map(({ result }) => result);
  }

  /** Entries at positions from `from` to before `to`, in order. */
  async entries(jobId: string, from: number, to: number): Promise<StoredEntry[]> {
    return this.dataSource.query<StoredEntry[]>(
      'SELECT sent, result FROM job_entries WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position',
      [idToBytes(jobId), from, to],
    );
  }
}

/** Quoting can double a text, and then no packet takes it. */
async function writeLongResult(
  transaction: EntityManager,
  id: Buffer,
  position: number,
  result: string,
): Promise<void> {
  await transaction.query(
    `UPDATE job_entries SET result = CONVERT(FROM_BASE64(?) USING utf8mb4) WHERE job_id = ? AND position = ?`,
    [Buffer.from(result).toString('base64'), id, position],
  );
}

function toJob({ id, mode, status, total, done, created_at, expires_at }: JobRow, sandbox: boolean): Job {
  return {
    id: idFromBytes(id),
    sandbox,
    mode,
    status,
    total,
    done: status === 'completed' ? total : done,
    createdAt: created_at,
    expiresAt: expires_at,
  };
}
