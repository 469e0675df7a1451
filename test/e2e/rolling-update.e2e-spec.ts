import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost } from '../lab/world.js';
import { freePort } from '../support/free-port.js';
import { answersOk, startProcess, type StartedProcess } from '../support/processes.js';
import { startProduct, type Answered, type Product } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';
import { buildPrevious, type PreviousBuild } from './rolling-previous.js';

jest.setTimeout(600_000);

const world = domainWithHost('company.example', { otherRecipients: ACCEPTED });

let lab: Laboratory;
let product: Product;
let database: Connection;
let key: string;
let asked = 0;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
  });
  key = await product.createKey('live');
  database = await createConnection(product.databaseUrl);
});
afterAll(async () => {
  await database?.end();
  await product?.close();
  await lab?.stop();
});

/** An address nobody has asked for. */
const fresh = (): string => `person-${(asked += 1)}@company.example`;

async function call(url: string, path: string, body?: unknown): Promise<Answered> {
  const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url + path, init);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** Everything that a release does with the database: reads, charges, pending probes, jobs, events. */
async function everythingWorks(url: string): Promise<void> {
  const email = fresh();
  const single = await call(url, '/v1/verify/single', { email });
  expect(single).toMatchObject({ status: 200, body: { result: 'valid' } });
  expect(single.headers.get('x-credits-used')).toBe('0');
  const again = await call(url, '/v1/verify/single', { email });
  expect(again.body).toMatchObject({ result: 'valid', freshness: 'cached_recent' });
  const batch = { emails: [fresh(), email] };
  expect(await call(url, '/v1/verify/batch', batch)).toMatchObject({ status: 200 });
  const settled = await waitUntil(
    async () =>
      JSON.stringify((await call(url, '/v1/verify/batch', batch)).body).split('"result":"valid"').length === 3,
    { ms: 60_000, everyMs: 200 },
  );
  expect(settled).toBe(true);
  const job = await call(url, '/v1/verify/jobs', { emails: [fresh(), fresh(), 'no address'] });
  expect(job.status).toBe(202);
  const completed = await waitUntil(
    async () => {
      const read = await call(url, `/v1/verify/jobs/${String(job.body['id'])}`);
      return read.body['status'] === 'completed' ? read : null;
    },
    { ms: 60_000, everyMs: 200 },
  );
  expect(completed?.body['results']).toMatchObject([
    { result: 'valid' },
    { result: 'valid' },
    { error: 'invalid_email' },
  ]);
  const event = {
    verdict: 'valid',
    action: 'allow',
    source: 'local',
    reasons: [],
    degraded: false,
    domain: 'company.example',
  };
  expect(await call(url, '/v1/guard/events', { events: [event] })).toMatchObject({
    status: 202,
    body: { accepted: 1 },
  });
  expect(await call(url, '/v1/credits')).toMatchObject({ status: 200 });
}

const audit = () => product.cli<{ mismatches: unknown[] }>('ledger', 'audit');

describe('this release', () => {
  it('works on a schema that a later release has extended', async () => {
    const [tables] = await database.query<RowDataPacket[]>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'migrations'",
    );
    for (const { name } of tables) {
      await database.query(
        `ALTER TABLE \`${String(name)}\` ADD COLUMN of_next_release varchar(20) NULL,
           ADD COLUMN also_of_next_release int unsigned NOT NULL DEFAULT 7, ADD KEY of_next_release (of_next_release)`,
      );
    }
    await database.query('CREATE TABLE next_release (id int PRIMARY KEY)');
    await database.query("INSERT INTO migrations (timestamp, name) VALUES (4102444800000, 'NextRelease4102444800000')");
    const [api, worker] = await Promise.all([product.startApi(), product.startWorker()]);
    await everythingWorks(api.url);
    expect((await audit()).mismatches).toEqual([]);
    expect(await Promise.all([api.process.stop(), worker.process.stop()])).toEqual([0, 0]);
  });

  it('is not ready, and says why, while its newest migration is missing, and then becomes ready', async () => {
    const [rows] = await database.query<RowDataPacket[]>(
      'SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1, 1',
    );
    const name = String(rows[0]?.['name']);
    await database.query('DELETE FROM migrations WHERE name = ?', [name]);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const early = await startProcess(['dist/main'], {
      env: { ...product.environment, PORT: String(port) },
      isReady: answersOk(`${url}/health/live`),
    });
    const ready = await fetch(`${url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('1 migrations are pending');
    await database.query('INSERT INTO migrations (timestamp, name) VALUES (1, ?)', [name]);
    expect(await waitUntil(answersOk(`${url}/health/ready`), { ms: 60_000 })).toBe(true);
    expect(await early.stop()).toBe(0);
  });
});

describe('the release before the newest migration', () => {
  let previous: PreviousBuild;
  beforeAll(async () => {
    previous = await buildPrevious();
  });
  afterAll(() => {
    if (previous.kind === 'built') previous.remove();
  });

  it('keeps working on the schema of this one, beside it, until it is stopped', async () => {
    if (previous.kind === 'impossible') {
      console.log(`skipped: ${previous.why}`);
      return;
    }
    const { folder } = previous;
    const start = async (
      name: 'main' | 'worker',
      variable: string,
    ): Promise<{ process: StartedProcess; url: string }> => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const env = { ...product.environment, [variable]: String(port) };
      return {
        process: await startProcess([`${folder}/dist/${name}`], { env, isReady: answersOk(`${url}/health/ready`) }),
        url,
      };
    };
    const [oldApi, oldWorker] = await Promise.all([start('main', 'PORT'), start('worker', 'WORKER_PORT')]);
    await everythingWorks(oldApi.url);

    const [api, worker] = await Promise.all([product.startApi(), product.startWorker()]);
    await Promise.all([everythingWorks(oldApi.url), everythingWorks(api.url)]);
    // What the old worker holds is finished by the new one.
    const job = await call(oldApi.url, '/v1/verify/jobs', { emails: Array.from({ length: 200 }, fresh) });
    expect(await Promise.all([oldApi.process.stop(), oldWorker.process.stop()])).toEqual([0, 0]);
    const isComplete = async (): Promise<boolean> =>
      (await call(api.url, `/v1/verify/jobs/${String(job.body['id'])}`)).body['status'] === 'completed';
    expect(await waitUntil(isComplete, { ms: 90_000, everyMs: 250 })).toBe(true);
    await everythingWorks(api.url);
    expect((await audit()).mismatches).toEqual([]);
    expect(await Promise.all([api.process.stop(), worker.process.stop()])).toEqual([0, 0]);
  });
});
