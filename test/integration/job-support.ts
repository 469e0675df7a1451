import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { priceOf } from '../../src/billing/price.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import type { JobMode } from '../../src/jobs/job.js';
import { JobBatchProducer } from '../../src/jobs/job-batch.queue.js';
import { JobRepository } from '../../src/jobs/job.repository.js';
import { readNewEntries } from '../../src/jobs/new-entries.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { type World } from '../lab/world.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

const JOB_SECRET = 'a-secret-of-these-tests';

const WEEK_MS = 7 * 24 * 60 * 60_000;

export interface SubmitOptions {
  readonly mode?: JobMode;
  /** Domains that were known as catch-alls at the submit. */
  readonly catchAlls?: readonly string[];
  /** The account has no free verifies left unless this says so. */
  readonly freeVerifiesPerMonth?: number;
  readonly createdAt?: Date;
}

/** Stores and charges a job as a submit does. @returns its id; nobody has been told of it */
export async function submitJobRows(
  dataSource: DataSource,
  accountId: string,
  emails: readonly unknown[],
  { mode = 'standard', catchAlls = [], freeVerifiesPerMonth = 0, createdAt = new Date() }: SubmitOptions = {},
): Promise<string> {
  const entries = await readNewEntries(emails, mode, async () => new Set(catchAlls));
  const id = newId();
  await dataSource.transaction('READ COMMITTED', async (transaction) => {
    const jobs = new JobRepository(dataSource);
    await jobs.insertEntriesWithin(transaction, id, entries);
    await jobs.insertWithin(transaction, {
      id,
      owner: { accountId, sandbox: false },
      keyId: newId(),
      sandbox: false,
      completedAt: null,
      webhook: true,
      mode,
      name: null,
      counts: null,
      status: 'processing',
      total: entries.length,
      addressesCounted: entries.length,
      done: entries.filter(({ result }) => result !== null).length,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + WEEK_MS),
    });
    const price = priceOf(entries.map(({ unitPrice }) => unitPrice));
    const charge = { accountId, keyId: newId(), reference: `job:${id}`, price, freeVerifiesPerMonth };
    const { kind } = await new LedgerRepository(dataSource).chargeWithin(transaction, charge);
    if (kind === 'insufficient') throw new Error('the account of a test is short of credits');
  });
  return id;
}

/** Servers of its own, a laboratory, and workers that serve jobs alone. */
export class JobBench {
  private readonly workers = new Set<NestFastifyApplication>();

  private constructor(
    readonly lab: Laboratory,
    readonly database: MigratedDatabase,
    readonly redis: TestRedis,
  ) {}

  static async start(world: World): Promise<JobBench> {
    const [lab, database, redis] = await Promise.all([
      startLaboratory(world),
      createMigratedDatabase(),
      claimTestRedis(),
    ]);
    return new JobBench(lab, database, redis);
  }

  get dataSource(): DataSource {
    return this.database.dataSource;
  }

  get running(): readonly NestFastifyApplication[] {
    return [...this.workers];
  }

  async startWorker(env: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
    const settings = loadConfig('worker', {
      DATABASE_URL: this.database.url,
      REDIS_URL: this.redis.url,
      ADDRESS_HASH_SECRET: JOB_SECRET,
      ...laboratoryEnvironment(this.lab),
      GREYLIST_RETRY_MS: '1500',
      WORKER_QUEUES: 'job-batch',
      ...env,
    });
    const worker = await createWorker(settings, createLog('silent'));
    this.workers.add(worker);
    await worker.init();
    return worker;
  }

  async stopWorker(worker: NestFastifyApplication): Promise<void> {
    this.workers.delete(worker);
    await worker.close();
  }

  async stopWorkers(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => this.stopWorker(worker)));
  }

  async flushRedis(): Promise<void> {
    const client = new Redis(this.redis.url);
    await client.flushdb();
    client.disconnect();
  }

  async forget(...tables: readonly string[]): Promise<void> {
    for (const table of tables) await this.dataSource.query(`DELETE FROM ${table}`);
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.redis.release();
    await this.database.drop();
    await this.lab.stop();
  }
}

export function tellWorker(worker: NestFastifyApplication, jobId: string): void {
  worker.get(JobBatchProducer, { strict: false }).queuePlanning(jobId);
}

export interface JobRow {
  status: string;
  stage: string;
  total: number;
  done: number;
  begun: number;
  completed_at: Date | null;
  counts: unknown;
}

export async function jobRow(dataSource: DataSource, jobId: string): Promise<JobRow> {
  const [row] = await dataSource.query<JobRow[]>('SELECT * FROM jobs WHERE id = ?', [idToBytes(jobId)]);
  return row!;
}

export interface ChunkRow {
  number: number;
  group_name: string;
  kind: string;
  state: string;
  priority: number;
  due_at: Date;
  begun: number;
  failures: number;
  egress: string | null;
}

export function chunkRows(dataSource: DataSource, jobId: string): Promise<ChunkRow[]> {
  return dataSource.query<ChunkRow[]>('SELECT * FROM job_chunks WHERE job_id = ? ORDER BY number', [idToBytes(jobId)]);
}

/** Waits until a job is completed. */
export async function completed(dataSource: DataSource, jobId: string, ms = 120_000): Promise<boolean> {
  const isDone = async (): Promise<boolean> => (await jobRow(dataSource, jobId)).status === 'completed';
  return (await waitUntil(isDone, { ms, everyMs: 50 })) === true;
}

export interface JobResult {
  readonly email: string | null;
  readonly result?: string;
  readonly reason?: string | null;
  readonly error?: string;
  readonly freshness?: string;
  readonly catch_all?: boolean;
  readonly smtp_diagnosis?: string | null;
}

/** The answers of a completed job, in order. */
export async function resultsOf(dataSource: DataSource, jobId: string): Promise<JobResult[]> {
  const { total } = await jobRow(dataSource, jobId);
  const results = await new JobRepository(dataSource).results(jobId, 0, total);
  return results.map((result) => JSON.parse(result) as JobResult);
}
