import { createConnection, type Connection } from 'mysql2/promise';
import { setTimeout as delay } from 'node:timers/promises';
import { startProduct, type Product, type RunningApi } from '../support/product.js';

/** Fewer by default, for a run of all tests: `JOBS_CRASH_ROUNDS=30`. */
const ROUNDS = Number(process.env['JOBS_CRASH_ROUNDS'] ?? 3);
const ENTRIES = 3000;
const CLIENTS = 3;

jest.setTimeout(240_000 + ROUNDS * 30_000);

let product: Product;
let database: Connection;
let key: string;
beforeAll(async () => {
  // Nobody is asked anything here.
  product = await startProduct({ DNS_SERVERS: '127.0.0.1:9', SMTP_CHECK_DOMAINS: 'none' });
  database = await createConnection(product.databaseUrl);
  await database.query(
    "UPDATE plans SET free_verifies_per_month = 0, requests_per_minute = 1000000 WHERE name = 'scale'",
  );
  await product.cli('credits', 'grant', product.accountId, '100000000');
  key = await product.createKey('live');
});
afterAll(async () => {
  await database?.end();
  await product?.close();
});

const emails = Array.from({ length: ENTRIES }, (_, i) => (i % 10 === 0 ? 'no address' : `user-${i}@company.example`));

interface Submit {
  readonly name: string;
  /** What the client got; null: the connection broke. */
  text: string | null;
}

async function send(api: RunningApi, { name }: Submit): Promise<{ status: number; text: string; replayed: boolean }> {
  const response = await fetch(`${api.url}/v1/verify/jobs`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({ emails }),
  });
  const text = await response.text();
  return { status: response.status, text, replayed: response.headers.get('idempotency-replayed') === 'true' };
}

/** Submits without a pause until the process dies under them, the later in each round. */
async function load(api: RunningApi, round: number): Promise<Submit[]> {
  const submits: Submit[] = [];
  const killing = new AbortController();
  const client = async (number: number): Promise<void> => {
    for (let i = 0; !killing.signal.aborted; i++) {
      const submit: Submit = { name: `round ${round} client ${number} job ${i}`, text: null };
      submits.push(submit);
      const answer = await send(api, submit).catch(() => null);
      if (answer === null) return;
      expect(answer).toMatchObject({ status: 202, replayed: false });
      submit.text = answer.text;
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  await delay(100 + round * 137);
  killing.abort();
  api.process.kill('SIGKILL');
  await api.process.exitCode;
  await Promise.all(clients);
  return submits;
}

async function rows<T>(sql: string): Promise<T[]> {
  const [found] = await database.query(sql);
  return found as T[];
}

/** Every job has all of its rows and its charge, and there is nothing else. */
async function expectWhole(): Promise<number> {
  const jobs = await rows<{ id: string }>('SELECT LOWER(HEX(id)) AS id FROM jobs ORDER BY id');
  const entries = await rows<{ id: string; n: string | number }>(
    'SELECT LOWER(HEX(job_id)) AS id, COUNT(*) AS n FROM job_entries GROUP BY job_id ORDER BY job_id',
  );
  expect(entries.map(({ id, n }) => [id, Number(n)])).toEqual(jobs.map(({ id }) => [id, ENTRIES]));
  const charges = await rows<{ id: string; credits: string }>(
    `SELECT REPLACE(SUBSTRING(reference, 5), '-', '') AS id, -purchased AS credits FROM ledger_entries
      WHERE kind = 'charge' ORDER BY 1`,
  );
  expect(charges.map(({ id, credits }) => [id, Number(credits)])).toEqual(
    jobs.map(({ id }) => [id, (ENTRIES * 9) / 10]),
  );
  return jobs.length;
}

it(`a process killed while jobs are submitted leaves jobs that are whole and paid, or none (${ROUNDS} rounds)`, async () => {
  const every: Submit[] = [];
  let api = await product.startApi();
  for (let round = 1; round <= ROUNDS; round++) {
    const submits = await load(api, round);
    every.push(...submits);
    // What the dead process had sent, the server carries out or rolls back.
    api = await product.startApi();
    expect(await expectWhole()).toBeGreaterThanOrEqual(every.filter(({ text }) => text !== null).length);
    // As a minute would: the turns of the dead process end.
    await database.query('UPDATE idempotency_records SET expires_at = UTC_TIMESTAMP(3) WHERE status IS NULL');
    for (const submit of submits) {
      const repeat = await send(api, submit);
      expect(repeat).toMatchObject({ status: 202, ...(submit.text !== null && { text: submit.text, replayed: true }) });
    }
    expect(await expectWhole()).toBe(every.length);
    expect(await product.cli('ledger', 'audit', '--full')).toEqual({ accounts: 1, mismatches: [] });
  }
  const interrupted = every.filter(({ text }) => text === null).length;
  process.stdout.write(`${ROUNDS} crashes, ${every.length} jobs, ${interrupted} of them interrupted\n`);
  expect(interrupted).toBeGreaterThan(0);
});
