import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { FailedJobsRepository } from '../../src/platform/queues/failed-jobs.repository.js';
import type { QueueName } from '../../src/platform/config/queue-names.js';
import { CrawlUpkeepRepository } from '../../src/domains/store/crawl-upkeep.repository.js';
import { JobReconciliationRepository } from '../../src/jobs/completion/reconciliation.repository.js';
import { fault, json, shown } from '../support/cli.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { makeAccount } from './billing-support.js';
import { pendingParts } from './pending-support.js';

let database: MigratedDatabase;
let accountId: string;
const given = process.env['DATABASE_URL'];
beforeAll(async () => {
  database = await createMigratedDatabase();
  process.env['DATABASE_URL'] = database.url;
  accountId = await makeAccount(database.dataSource);
});
beforeEach(() => query('DELETE FROM failed_jobs'));
afterAll(async () => {
  process.env['DATABASE_URL'] = given;
  await database.drop();
});

const query = <T>(sql: string, values: unknown[] = []) => database.dataSource.query<T>(sql, values);

/** @returns id of the row */
async function fail(queue: QueueName, jobId: string): Promise<string> {
  const why = 'its payload cannot be read';
  await new FailedJobsRepository(database.dataSource).insert({ queue, jobId, why, details: null });
  const [row] = await query<{ id: string }[]>('SELECT CAST(MAX(id) AS CHAR) AS id FROM failed_jobs');
  return row!.id;
}

const left = async (): Promise<number> => (await query<unknown[]>('SELECT id FROM failed_jobs')).length;

async function addJob(stage: 'new' | 'planned', chunk: 'due' | 'done' | null): Promise<string> {
  const id = newId();
  await query(
    `INSERT INTO jobs (id, account_id, key_id, mode, status, stage, total, done, begun, created_at, expires_at, touched_at)
      VALUES (?, ?, ?, 'standard', 'processing', ?, 1, 0, 9, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 7 DAY, UTC_TIMESTAMP(3))`,
    [idToBytes(id), idToBytes(accountId), idToBytes(newId()), stage],
  );
  if (chunk !== null) {
    await query(
      `INSERT INTO job_chunks (job_id, number, group_name, kind, state, priority, due_at, queued_at, begun)
        VALUES (?, 3, 'mx.example', 'first', ?, 1, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 9)`,
      [idToBytes(id), chunk],
    );
  }
  return id;
}

it('lists failures, the latest first', async () => {
  expect(await shown('queue', 'retry')).toBe('Nothing has failed.');
  const first = await fail('domain-crawl', 'crawl-one.example');
  const second = await fail('domain-crawl', 'crawl-two.example');
  const listed = await json<object[]>('queue', 'retry');
  expect(listed).toEqual([
    expect.objectContaining({ id: Number(second), queue: 'domain-crawl', job: 'crawl-two.example' }),
    expect.objectContaining({ id: Number(first), why: 'its payload cannot be read', failed_at: expect.any(String) }),
  ]);
  expect(await shown('queue', 'retry')).toMatch(/^FAILURE .*\n.*crawl-two\.example/);
});

it('makes a postponed crawl due, and deletes the failure', async () => {
  await query(
    `INSERT INTO domains (domain, begun, asked_at, due_at, queue_at) VALUES ('late.example', 6, UTC_TIMESTAMP(3),
      UTC_TIMESTAMP(3) + INTERVAL 7 DAY, UTC_TIMESTAMP(3) + INTERVAL 7 DAY)`,
  );
  const upkeep = new CrawlUpkeepRepository(database.dataSource);
  const due = async () => (await upkeep.takeDue(10)).map(({ domain }) => domain);
  expect(await due()).toEqual([]);
  const id = await fail('domain-crawl', 'crawl-late.example');
  expect(await json('queue', 'retry', id)).toEqual({ retried: 1, refused: [] });
  expect(await due()).toEqual(['late.example']);
  expect(await left()).toBe(0);
  expect(await query('SELECT begun FROM domains')).toEqual([{ begun: 0 }]);
  expect(await query(`SELECT action FROM audit_log WHERE subject = 'crawl-late.example'`)).toEqual([
    { action: 'queue.retry' },
  ]);
  expect(await fault('queue', 'retry', id)).toMatch(/no failure has this id.*queue retry/);
});

it('queues open work of jobs and pending probes again, and nothing that has ended', async () => {
  const [toPlan, open, ended] = [
    await addJob('new', null),
    await addJob('planned', 'due'),
    await addJob('planned', 'done'),
  ];
  const hash = 'ab'.repeat(32);
  await query(
    `INSERT INTO pending_probes (id, address_hmac, active, domain, mode, urgency, state, askers, begun, requested_at, due_at, queue_at,
      end_by) VALUES (?, ?, 1, 'a.example', 'standard', 'single', 'due', 1, 9, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3),
      UTC_TIMESTAMP(3) + INTERVAL 1 HOUR, UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)`,
    [idToBytes(newId()), Buffer.from(hash, 'hex')],
  );
  const jobs = new JobReconciliationRepository(database.dataSource);
  const { reconciliation } = pendingParts(database.dataSource);
  expect([await jobs.takeIdle(10), await jobs.takeDue(10), await reconciliation.takeDue(10)]).toEqual([
    { toPlan: [], toWrite: [] },
    [],
    [],
  ]);
  await fail('job-batch', `plan-${toPlan}`);
  await fail('job-batch', `chunk-${open}-3`);
  const over = await fail('job-batch', `chunk-${ended}-3`);
  await fail('smtp-probe', `probe-${hash}`);
  await fail('smtp-probe', `probe-${'cd'.repeat(32)}`);
  await fail('job-batch', 'nonsense');

  expect(await fault('queue', 'retry', over)).toMatch(/can't be retried: .*refunded/);
  expect(await json('queue', 'retry', '--all')).toEqual({
    retried: 3,
    refused: [
      { count: 1, why: expect.stringMatching(/^the job has ended/) },
      { count: 1, why: expect.stringMatching(/^the probe has ended/) },
      { count: 1, why: 'its id names no job' },
    ],
  });
  expect(await left()).toBe(3);
  expect(await jobs.takeIdle(10)).toEqual({ toPlan: [toPlan], toWrite: [] });
  expect(await jobs.takeDue(10)).toEqual([{ jobId: open, number: 3, priority: 1 }]);
  expect(await reconciliation.takeDue(10)).toEqual([expect.objectContaining({ hash })]);
  expect(await shown('queue', 'retry', '--all')).toMatch(/^Put back to work: 0\.\nCan't be retried: 1 \(/);
});

it('explains faults', async () => {
  expect(await fault('queue', 'retry', '1', '--all')).toMatch(/not both/);
  expect(await fault('queue', 'retry', 'x')).toMatch(/whole number from 1/);
});
