import { createConnection, type Connection } from 'mysql2/promise';
import { setTimeout as delay } from 'node:timers/promises';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost } from '../lab/world.js';
import { seededRandom } from '../../src/platform/collections/seeded-random.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';

/** Fewer by default, for a run of all tests: `BILLING_CRASH_ROUNDS=50`. */
const ROUNDS = Number(process.env['BILLING_CRASH_ROUNDS'] ?? 5);
const SEED = Number(process.env['BILLING_CRASH_SEED'] ?? 20_261_128);
const CLIENTS = 24;
/** Mostly billed at once, without asking a mail host: a crash meets many commits. */
const EMAILS = ['info', 'sales', 'support', 'billing', 'contact', 'admin', 'office', 'ada'].map(
  (name) => `${name}@company.example`,
);

jest.setTimeout(240_000 + ROUNDS * 20_000);

const world = domainWithHost('company.example', { recipients: { ada: ACCEPTED }, delayMs: 5 });

let lab: Laboratory;
let product: Product;
let database: Connection;
let key: string;
beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    SMTP_CHECK_DOMAINS: 'none',
  });
  database = await createConnection(product.databaseUrl);
  // Allowance and credits mixed.
  await database.query(
    "UPDATE plans SET free_verifies_per_month = 100, requests_per_minute = 1000000 WHERE name = 'scale'",
  );
  await product.cli('credits', 'grant', product.accountId, '1000000');
  key = await product.createKey('live');
});
afterAll(async () => {
  await database?.end();
  await product?.close();
  await lab?.stop();
});

interface Call {
  readonly name: string;
  readonly email: string;
  /** What the client got; null: the connection broke. */
  text: string | null;
}

async function send(api: RunningApi, call: Call): Promise<{ status: number; text: string; replayed: boolean }> {
  const response = await fetch(`${api.url}/v1/verify/single`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': call.name },
    body: JSON.stringify({ email: call.email }),
  });
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get('idempotency-replayed') === 'true',
  };
}

/** A mail host's limits may still be taken up by the dead process: as any client would, come again. */
async function sendUntilServed(api: RunningApi, call: Call): ReturnType<typeof send> {
  for (let tries = 1; ; tries++) {
    const answer = await send(api, call);
    if (answer.status !== 503 || tries === 60) return answer;
    await delay(500);
  }
}

/** Calls without a pause until the process dies under them. */
async function load(api: RunningApi, round: number, random: () => number): Promise<Call[]> {
  const calls: Call[] = [];
  const killing = new AbortController();
  const client = async (number: number): Promise<void> => {
    for (let i = 0; !killing.signal.aborted; i++) {
      const email = EMAILS[Math.floor(random() * EMAILS.length)]!;
      const call: Call = { name: `round ${round} client ${number} call ${i}`, email, text: null };
      calls.push(call);
      const answer = await send(api, call).catch(() => null);
      if (answer === null) {
        expect(killing.signal.aborted).toBe(true);
        return;
      }
      expect(answer).toMatchObject({ status: 200, replayed: false });
      call.text = answer.text;
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  await delay(50 + random() * 700);
  killing.abort();
  api.process.kill('SIGKILL');
  await api.process.exitCode;
  await Promise.all(clients);
  return calls;
}

async function count(sql: string): Promise<number> {
  const [rows] = await database.query(sql);
  return Number((rows as { n: string | number }[])[0]?.n);
}
const charges = () => count("SELECT COUNT(*) AS n FROM ledger_entries WHERE kind = 'charge'");
const keptAnswers = () => count('SELECT COUNT(*) AS n FROM idempotency_records WHERE status IS NOT NULL');

it(`a process killed at any moment charges nothing twice, and nothing without its answer (${ROUNDS} rounds)`, async () => {
  const random = seededRandom(SEED);
  const everyCall: Call[] = [];
  let interrupted = 0;
  let api = await product.startApi();
  for (let round = 1; round <= ROUNDS; round++) {
    const calls = await load(api, round, random);
    everyCall.push(...calls);
    interrupted += calls.filter(({ text }) => text === null).length;
    // What the dead process had sent, the server carries out or rolls back.
    api = await product.startApi();
    expect(await charges()).toBe(await keptAnswers());
    // As a minute would: the turns of the dead process end.
    await database.query('UPDATE idempotency_records SET expires_at = UTC_TIMESTAMP(3) WHERE status IS NULL');

    const running = api;
    const unanswered = calls.filter(({ text }) => text === null);
    const answered = calls.filter(({ text }) => text !== null).slice(-CLIENTS);
    await Promise.all(
      [...unanswered, ...answered].map(async (call) => {
        const repeat = await sendUntilServed(running, call);
        expect(repeat).toMatchObject({ status: 200, ...(call.text !== null && { text: call.text, replayed: true }) });
      }),
    );
    expect(await charges()).toBe(everyCall.length);
    expect(await keptAnswers()).toBe(everyCall.length);
    expect(await product.cli('ledger', 'audit', '--full')).toEqual({ accounts: 1, mismatches: [] });
  }
  process.stdout.write(`${ROUNDS} crashes, ${everyCall.length} calls, ${interrupted} of them interrupted\n`);
  expect(interrupted).toBeGreaterThan(0);
});
