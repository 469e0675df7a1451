import { idToBytes } from '../../src/platform/ids/uuid.js';
import { json } from '../support/cli.js';
import { waitUntil } from '../support/wait-until.js';
import { suspendLongAgo } from './account-delete-support.js';
import { makeAccount, mismatches } from './billing-support.js';
import { completed, JobBench, jobRow, resultsOf, submitJobRows, tellWorker } from './job-support.js';
import { jobWorld } from './job-world.js';
import { countRows } from './jobs-api.js';

const WORLD = jobWorld({ domains: 6, addresses: 240, roundTripMs: 30, shares: {} });

let bench: JobBench;
const { DATABASE_URL, REDIS_URL } = process.env;
beforeAll(async () => {
  bench = await JobBench.start(WORLD.world);
  Object.assign(process.env, { DATABASE_URL: bench.database.url, REDIS_URL: bench.redis.url });
});
afterAll(async () => {
  Object.assign(process.env, { DATABASE_URL, REDIS_URL });
  await bench?.close();
});

it('account delete removes a running job while workers process it, and other jobs continue', async () => {
  const { dataSource } = bench;
  const [gone, stays] = [
    await makeAccount(dataSource, { purchased: 500 }),
    await makeAccount(dataSource, { purchased: 500 }),
  ];
  const worker = await bench.startWorker();
  const running = await submitJobRows(dataSource, gone, WORLD.emails.slice(0, 200));
  const other = await submitJobRows(dataSource, stays, WORLD.emails.slice(200));
  for (const job of [running, other]) tellWorker(worker, job);
  const isUnderWay = async (): Promise<boolean> => (await jobRow(dataSource, running)).done > 0;
  expect(await waitUntil(isUnderWay, { ms: 60_000, everyMs: 5 })).toBe(true);
  expect(await jobRow(dataSource, running)).toMatchObject({ status: 'processing' });

  await suspendLongAgo(dataSource, gone);
  expect(await json('account', 'delete', gone, '--yes')).toEqual({ id: gone, deleted: true });
  expect(await completed(dataSource, other)).toBe(true);
  expect((await resultsOf(dataSource, other)).map(({ result }) => result)).not.toContain(undefined);
  await bench.stopWorkers();
  expect(await countRows(dataSource)).toMatchObject({ jobs: 1, entries: 40 });
  const rows = await dataSource.query('SELECT id FROM ledger_entries WHERE account_id = ?', [idToBytes(gone)]);
  expect(rows).toEqual([]);
  expect(await mismatches(dataSource, stays)).toEqual([]);
});
