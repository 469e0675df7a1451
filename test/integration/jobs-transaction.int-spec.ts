import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createConnection, type Connection } from 'mysql2/promise';
import { request as httpRequest } from 'node:http';
import { JobRepository } from '../../src/jobs/job.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { waitUntil } from '../support/wait-until.js';
import { BillingBench, type Caller } from './billing-api.js';
import { commitCutter, type CommitCutter, type CommitFate } from './billing-commit-cutter.js';
import { balanceOf, entriesOf, mismatches } from './billing-support.js';
import { submitJobRows } from './job-support.js';
import { addresses, askJobs, countRows, submitJob, type JobAnswer } from './jobs-api.js';

let bench: BillingBench;
let cutter: CommitCutter;
let api: NestFastifyApplication;
let fateOf: (commit: number) => CommitFate = () => 'pass';
const holders: Connection[] = [];

beforeAll(async () => {
  bench = await BillingBench.start();
  cutter = await commitCutter(bench.database.target, (commit) => fateOf(commit));
  const url = new URL(bench.database.url);
  url.host = `127.0.0.1:${cutter.port}`;
  api = await bench.startApi({ DATABASE_URL: url.href });
});
afterEach(async () => {
  fateOf = () => 'pass';
  for (const holder of holders.splice(0)) await holder.end();
  for (const table of ['jobs', 'job_entries', 'job_results'])
    await bench.database.dataSource.query(`DELETE FROM ${table}`);
});
afterAll(async () => {
  await bench.close();
  await cutter.close();
});

function nextCommit(fate: CommitFate): void {
  const next = cutter.commits;
  fateOf = (commit) => (commit === next ? fate : 'pass');
}

/** A transaction of somebody else that holds what this statement locks. @returns lets go of it */
async function holding(sql: string, values: readonly unknown[]): Promise<() => Promise<void>> {
  const holder = await createConnection({ uri: bench.database.url });
  holders.push(holder);
  await holder.query('BEGIN');
  await holder.query(sql, [...values]);
  return () => holder.rollback();
}
const holdingBalance = ({ accountId }: Caller): Promise<() => Promise<void>> =>
  holding('SELECT * FROM account_balances WHERE account_id = ? FOR UPDATE', [idToBytes(accountId)]);

async function soon<T>(check: () => Promise<T | false>): Promise<T> {
  const found = await waitUntil(check, { ms: 60_000 });
  if (found === null) throw new Error('what was waited for did not come');
  return found;
}

/** The connection whose statement begins so, once it waits for a lock. */
function waiting(statement: string): Promise<number> {
  return soon(async () => {
    const rows = await bench.database.dataSource.query<{ id: string }[]>(
      `SELECT ID AS id FROM information_schema.PROCESSLIST
        WHERE DB = DATABASE() AND ID <> CONNECTION_ID() AND INFO LIKE ?`,
      [`${statement}%`],
    );
    return rows.length > 0 && Number(rows[0]!.id);
  });
}
const kill = (connection: number): Promise<unknown> => bench.database.dataSource.query(`KILL ${connection}`);

async function expectNothing({ accountId }: Caller, credits: number): Promise<void> {
  expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 0, entries: 0 });
  expect((await entriesOf(bench.database.dataSource, accountId)).map(({ kind }) => kind)).toEqual(['grant']);
  expect(await balanceOf(bench.database.dataSource, accountId)).toMatchObject({ purchased: credits });
  expect(await mismatches(bench.database.dataSource, accountId)).toEqual([]);
}
const codeOf = ({ status, body }: JobAnswer): [number, unknown] => [status, (body['error'] as { code: string })?.code];
const keyed = { headers: { 'idempotency-key': 'k' } };

describe('when the result of the COMMIT is lost', () => {
  it('a committed job is read back and answered', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    nextCommit('lose_answer');
    const answer = await submitJob(api, caller.live, addresses(2), keyed);
    expect(answer.status).toBe(202);
    expect(answer.headers).toMatchObject({ 'x-credits-used': '2', 'x-credits-remaining': '3' });
    const read = await askJobs(api, caller.live, { path: `/${String(answer.body['id'])}` });
    expect(read.body).toEqual(answer.body);
    expect((await submitJob(api, caller.live, addresses(2), keyed)).text).toBe(answer.text);
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 1, entries: 2 });
    expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ purchased: 3 });
  });

  it('a job is not said to be missing while it may still be committed', async () => {
    const { accountId } = await bench.newCaller('free-0', { purchased: 5 });
    const { dataSource } = bench.database;
    const id = newId();
    const stored = await submitJobRows(dataSource, accountId, addresses(1));
    const endCommit = await holding('UPDATE jobs SET id = ? WHERE id = ?', [idToBytes(id), idToBytes(stored)]);
    await expect(new JobRepository(dataSource).stands(id)).rejects.toThrow();
    await endCommit();
    expect(await new JobRepository(dataSource).stands(id)).toBe(false);
  });

  it('a job that was not committed is refused, and may be sent again', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    nextCommit('lose_packet');
    expect(codeOf(await submitJob(api, caller.live, addresses(2), keyed))).toEqual([503, 'service_unavailable']);
    await expectNothing(caller, 5);
    const again = await soon(async () => {
      const answer = await submitJob(api, caller.live, addresses(2), keyed);
      return answer.status !== 409 && answer;
    });
    expect(again.status).toBe(202);
    expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ purchased: 3 });
  });
});

describe('when the connection breaks', () => {
  it('after the rows and before the charge, everything is rolled back', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5000 });
    const release = await holdingBalance(caller);
    const submitting = submitJob(api, caller.live, addresses(2500));
    await kill(await waiting('INSERT INTO account_balances'));
    expect(codeOf(await submitting)).toEqual([503, 'service_unavailable']);
    await release();
    await expectNothing(caller, 5000);
  });

  it('after the charge and before the stored answer, everything is rolled back', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5000 });
    const release = await holdingBalance(caller);
    const submitting = submitJob(api, caller.live, addresses(2500), keyed);
    await waiting('INSERT INTO account_balances');
    const releaseRecord = await holding('SELECT * FROM idempotency_records WHERE account_id = ? FOR UPDATE', [
      idToBytes(caller.accountId),
    ]);
    await release();
    await kill(await waiting('UPDATE idempotency_records'));
    expect(codeOf(await submitting)).toEqual([503, 'service_unavailable']);
    await releaseRecord();
    await expectNothing(caller, 5000);
  });
});

it('a client that disconnects before the charge is not charged, and gets no job', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 5000 });
  // What lies behind all rows: none can be added.
  const release = await holding('SELECT * FROM job_entries FOR UPDATE', []);
  const stopping = await bench.startApi();
  const { port } = stopping.getHttpServer().address() as { port: number };
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/v1/verify/jobs',
    headers: { 'x-api-key': caller.live, 'content-type': 'application/json' },
    agent: false,
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify({ emails: addresses(10) }));
  await waiting('INSERT INTO job_entries');
  request.socket!.resetAndDestroy();
  await soon(async () => {
    const open = await new Promise<number>((resolve) => {
      stopping.getHttpServer().getConnections((_: unknown, count: number) => resolve(count));
    });
    return open === 0;
  });
  await release();
  // It closes when all its calls have ended, those of clients that are gone too.
  await stopping.close();
  await expectNothing(caller, 5000);
});

it('a call that has lost its lease stores nothing', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 5000 });
  const release = await holdingBalance(caller);
  const submitting = submitJob(api, caller.live, addresses(10), keyed);
  await waiting('INSERT INTO account_balances');
  await bench.database.dataSource.query('UPDATE idempotency_records SET lease = ? WHERE account_id = ?', [
    Buffer.alloc(16, 1),
    idToBytes(caller.accountId),
  ]);
  await release();
  expect(codeOf(await submitting)).toEqual([409, 'idempotency_conflict']);
  await expectNothing(caller, 5000);
});

it('an account is locked only at the end of a submit', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 5000 });
  const release = await holding('SELECT * FROM job_entries FOR UPDATE', []);
  const submitting = submitJob(api, caller.live, addresses(10));
  await waiting('INSERT INTO job_entries');
  // While the rows are being written others may take its balance.
  const releaseBalance = await holding('SELECT * FROM account_balances WHERE account_id = ? FOR UPDATE NOWAIT', [
    idToBytes(caller.accountId),
  ]);
  await releaseBalance();
  await release();
  expect((await submitting).status).toBe(202);
});
