import { only } from '../factories/only.js';
import type { Result } from '../../src/engine/verdict/result.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { ResultPagesRepository } from '../../src/jobs/completion/result-pages.repository.js';
import { JobRepository } from '../../src/jobs/job.repository.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { balanceOf, makeAccount } from './billing-support.js';
import { jobRow, submitJobRows } from './job-support.js';

const ENTRIES = 1200;
const PAGE = 400;

let database: MigratedDatabase;
let jobs: ResultPagesRepository;

beforeAll(async () => {
  database = await createMigratedDatabase();
  jobs = new ResultPagesRepository(
    database.dataSource,
    new LedgerRepository(database.dataSource),
    only({ writeWithin: () => Promise.resolve([]), queue: () => undefined }),
  );
});
afterAll(() => database?.drop());

const page = (from: number, failed = false) =>
  Array.from({ length: PAGE }, (_, i) => ({ position: from + i, result: `"${from + i}"`, failed }));
const results = (jobId: string) => new JobRepository(database.dataSource).results(jobId, 0, ENTRIES);

const judged = (result: Result) => (entry: ReturnType<typeof page>[number]) => ({
  ...entry,
  verdict: result,
  result: JSON.stringify({ email: 'x', result }),
});
async function countsOf(jobId: string): Promise<unknown> {
  const { counts } = await jobRow(database.dataSource, jobId);
  return typeof counts === 'string' ? JSON.parse(counts) : counts;
}

/** Every entry of it has its outcome. */
async function jobToShape(account: string): Promise<string> {
  const emails = Array.from({ length: ENTRIES }, (_, i) => `${i}@example.com`);
  const jobId = await submitJobRows(database.dataSource, account, emails);
  const job = [idToBytes(jobId)];
  await database.dataSource.query(`UPDATE job_entries SET facts = '{}' WHERE job_id = ?`, job);
  await database.dataSource.query(`UPDATE jobs SET stage = 'shaping', done = total WHERE id = ?`, job);
  return jobId;
}

it('writes pages of one job concurrently, and refunds entries that cannot be judged once, also by two workers', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10_000 });
  const jobId = await jobToShape(account);
  const written = await Promise.all([
    jobs.write(jobId, page(0)),
    jobs.write(jobId, page(PAGE, true)),
    jobs.write(jobId, page(2 * PAGE, true)),
    jobs.write(jobId, page(2 * PAGE, true)),
  ]);
  expect(written).toEqual([true, true, true, true]);
  expect(await jobs.complete(jobId)).toBe(true);
  expect(await results(jobId)).toEqual(Array.from({ length: ENTRIES }, (_, i) => `"${i}"`));
  expect((await balanceOf(database.dataSource, account))['purchased']).toBe(10_000 - PAGE);
});

it('counts the verdicts of a job once, when it is completed', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10_000 });
  const jobId = await jobToShape(account);
  await jobs.write(jobId, page(0).map(judged('valid')));
  await jobs.write(jobId, page(PAGE).map(judged('catch_all')));
  await expect(jobs.complete(jobId)).rejects.toThrow('no result');
  await jobs.write(jobId, page(2 * PAGE, true));
  expect((await jobRow(database.dataSource, jobId))['counts']).toBeNull();
  await jobs.complete(jobId);
  expect(await countsOf(jobId)).toEqual({
    valid: PAGE,
    invalid: 0,
    catch_all: PAGE,
    disposable: 0,
    role: 0,
    unknown: 0,
    error: PAGE,
  });
});

it('counts joined results once, also where an earlier release has written them beside', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10_000 });
  const jobId = await jobToShape(account);
  await database.dataSource.query(`UPDATE job_entries SET result = ? WHERE job_id = ? AND position < ?`, [
    JSON.stringify({ email: 'x', result: 'valid' }),
    idToBytes(jobId),
    PAGE,
  ]);
  for (const from of [0, PAGE, 2 * PAGE]) await jobs.write(jobId, page(from).map(judged('invalid')));
  expect(await jobs.complete(jobId)).toBe(true);
  expect(await countsOf(jobId)).toMatchObject({ valid: 0, invalid: ENTRIES });
});

it('reads no entry again whose result is written', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10_000 });
  const jobId = await jobToShape(account);
  await jobs.write(jobId, page(PAGE));
  expect(await jobs.entries(jobId, 0, PAGE)).toHaveLength(PAGE);
  expect(await jobs.entries(jobId, PAGE, 2 * PAGE)).toEqual([]);
});

it('writes a row for a hundred results, and none to the rows of their entries', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10_000 });
  const jobId = await jobToShape(account);
  await jobs.write(jobId, page(0));
  const count = (sql: string) => database.dataSource.query(sql, [idToBytes(jobId)]);
  expect(await count('SELECT COUNT(*) AS n FROM job_results WHERE job_id = ?')).toEqual([{ n: '4' }]);
  expect(await count('SELECT COUNT(result) AS n FROM job_entries WHERE job_id = ?')).toEqual([{ n: '0' }]);
});

it('writes nothing to a completed job, and refunds nothing', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10_000 });
  const jobId = await jobToShape(account);
  for (const from of [0, PAGE, 2 * PAGE]) await jobs.write(jobId, page(from));
  await jobs.complete(jobId);
  const late = page(0, true).map((entry) => ({ ...entry, result: '"late"' }));
  expect(await jobs.write(jobId, late)).toBe(false);
  expect((await results(jobId))[0]).toBe('"0"');
  expect((await balanceOf(database.dataSource, account))['purchased']).toBe(10_000 - ENTRIES);
  expect(await jobRow(database.dataSource, jobId)).toMatchObject({ status: 'completed', done: ENTRIES });
});

it('recreates no row of a deleted job', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10_000 });
  const jobId = await jobToShape(account);
  for (const table of ['job_entries WHERE job_id', 'jobs WHERE id']) {
    await database.dataSource.query(`DELETE FROM ${table} = ?`, [idToBytes(jobId)]);
  }
  expect(await jobs.write(jobId, page(0))).toBe(false);
  expect(await results(jobId)).toEqual([]);
});
