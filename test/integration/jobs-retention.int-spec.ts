import { createConnection, type Connection } from 'mysql2/promise';
import { ExpiredJobsRepository } from '../../src/jobs/expired-jobs.repository.js';
import { JobRepository, type NewJob } from '../../src/jobs/job.repository.js';
import { withinDeadline } from '../../src/platform/scheduling/within-deadline.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { purge } from '../support/purge.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { addresses, completeJob, countRows } from './jobs-api.js';

let database: MigratedDatabase;
let jobs: JobRepository;
let expired: ExpiredJobsRepository;
const others: Connection[] = [];
const OWNER = { accountId: newId(), sandbox: false };

beforeAll(async () => {
  database = await createMigratedDatabase();
  jobs = new JobRepository(database.dataSource);
  expired = new ExpiredJobsRepository(database.dataSource);
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.end();
  for (const table of ['jobs', 'job_entries', 'job_results', 'job_outcomes', 'job_chunks'])
    await database.dataSource.query(`DELETE FROM ${table}`);
});
afterAll(() => database.drop());

/** @param dies whether its seven days are over */
async function storedJob(count: number, dies: boolean, chunks = 0): Promise<string> {
  const now = await jobs.now();
  const expiresAt = new Date(now.getTime() + (dies ? -1000 : 1_000_000));
  const job: NewJob = {
    id: newId(),
    owner: OWNER,
    keyId: newId(),
    mode: 'standard',
    name: null,
    counts: null,
    status: 'processing',
    sandbox: false,
    total: count,
    addressesCounted: count,
    done: 0,
    createdAt: now,
    completedAt: null,
    webhook: true,
    expiresAt,
  };
  const entries = addresses(count).map((sent) => ({ sent, unitPrice: 1, result: null }));
  await database.dataSource.transaction('READ COMMITTED', async (transaction) => {
    await jobs.insertEntriesWithin(transaction, job.id, entries);
    await jobs.insertWithin(transaction, job);
  });
  for (let number = 0; number < chunks; number += 500) {
    const rows = Array.from({ length: Math.min(500, chunks - number) }, (_, i) => {
      return [idToBytes(job.id), number + i, 'mx.example', 'first', 'done', 1, now, now];
    });
    await database.dataSource.query(
      'INSERT INTO job_chunks (job_id, number, group_name, kind, state, priority, due_at, queued_at) VALUES ?',
      [rows],
    );
    await database.dataSource.query('INSERT INTO job_outcomes (job_id, chunk, position, outcomes) VALUES ?', [
      rows.map(([id, chunk]) => [id, chunk, 0, '0\t{}']),
    ]);
  }
  return job.id;
}
async function completed(count: number, dies: boolean, chunks = 0): Promise<string> {
  const id = await storedJob(count, dies, chunks);
  await completeJob(database.dataSource, id);
  return id;
}

it('deletes every row of expired and deleted jobs, and nothing else', async () => {
  const kept = await completed(700, false, 3);
  await completed(2500, true, 1700);
  const deleted = await completed(10, false);
  expect(await jobs.delete(OWNER, deleted)).toBe('deleted');
  await completed(1, true);
  await purge(expired);
  expect(await countRows(database.dataSource)).toEqual({ jobs: 1, entries: 700, results: 7, chunks: 3 });
  expect(await jobs.results(kept, 0, 700)).toHaveLength(700);
  const outcomes = await database.dataSource.query<unknown[]>('SELECT chunk FROM job_outcomes');
  expect(outcomes).toHaveLength(3);
});

it('keeps an unfinished job, which must be ended and refunded first', async () => {
  const id = await storedJob(3, true);
  await purge(expired);
  expect(await countRows(database.dataSource)).toMatchObject({ jobs: 1, entries: 3 });
  await completeJob(database.dataSource, id);
  await purge(expired);
  expect(await countRows(database.dataSource)).toMatchObject({ jobs: 0, entries: 0 });
});

it('continues after an interruption', async () => {
  const id = await completed(3000, true, 5);
  await expired.deleteEntries(id, 0, 1000);
  await expired.deleteChunks(id, 0, 5);
  await purge(expired);
  expect(await countRows(database.dataSource)).toEqual({ jobs: 0, entries: 0, results: 0, chunks: 0 });
});

it('has the same effect when run twice at once', async () => {
  for (let i = 0; i < 5; i++) await completed(1500, true, 2);
  await Promise.all([purge(expired), purge(new ExpiredJobsRepository(database.dataSource))]);
  expect(await countRows(database.dataSource)).toEqual({ jobs: 0, entries: 0, results: 0, chunks: 0 });
});

it('neither blocks nor waits for work on other jobs', async () => {
  const before = await completed(500, false, 2);
  const gone = await completed(1500, true, 2);
  const after = await completed(500, false, 2);
  const other = await createConnection({ uri: database.url });
  others.push(other);
  await other.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await other.query('BEGIN');
  // All rows of its neighbours are held while it goes.
  await other.query('SELECT position FROM job_entries FORCE INDEX (PRIMARY) WHERE job_id IN (?) FOR UPDATE', [
    [idToBytes(before), idToBytes(after)],
  ]);
  await other.query('SELECT position FROM job_results FORCE INDEX (PRIMARY) WHERE job_id IN (?) FOR UPDATE', [
    [idToBytes(before), idToBytes(after)],
  ]);
  await other.query('SELECT id FROM jobs FORCE INDEX (PRIMARY) WHERE id IN (?) FOR UPDATE', [
    [idToBytes(before), idToBytes(after)],
  ]);
  await withinDeadline(purge(expired), 40_000);
  await other.rollback();
  expect(await countRows(database.dataSource)).toEqual({ jobs: 2, entries: 1000, results: 10, chunks: 4 });
  expect(gone > before && after > gone).toBe(true);
});
