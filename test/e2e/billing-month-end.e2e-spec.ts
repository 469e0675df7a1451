import { createConnection, type Connection } from 'mysql2/promise';
import { freePort } from '../support/free-port.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { domainWithHost, PROBER_NAME } from '../lab/world.js';
import { presentMonthEnd } from '../support/month-end.js';
import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';
import { startClockRelay, type ClockRelay } from './billing-clock-relay.js';

const FREE = 100;
const CREDITS = 60;
const end = presentMonthEnd();

let lab: Laboratory;
let product: Product;
let database: Connection;
let clock: ClockRelay;
let apis: RunningApi[];
let key: string;
beforeAll(async () => {
  lab = await startLaboratory(domainWithHost('company.example', {}));
  product = await startProduct({
    DNS_SERVERS: lab.dnsServer,
    SMTP_PORT: String(await freePort()),
    SMTP_HELO_NAME: PROBER_NAME,
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_CHECK_DOMAINS: 'none',
  });
  database = await createConnection(product.databaseUrl);
  await database.query('UPDATE plans SET free_verifies_per_month = ?, requests_per_minute = 1000000', [FREE]);
  await product.cli('credits', 'grant', product.accountId, String(CREDITS));
  key = await product.createKey('live');
  clock = await startClockRelay(product.databaseUrl, database, end.before(500));
  apis = await Promise.all([1, 2].map(() => product.startApi({ DATABASE_URL: clock.url })));
});
afterAll(async () => {
  await product?.close();
  await clock?.close();
  await database?.end();
  await lab?.stop();
});

/** So many calls at once, over both processes in turn. */
const calls = (count: number) => Array.from({ length: count }, (_, i) => answered(apis[i % 2]!));

/** As a client does: a 503, where the database behind the relay is too slow for all at once, costs nothing and is tried again. */
async function answered(api: RunningApi): Promise<Answered> {
  for (;;) {
    const answer = await api.verify(key, { email: 'info@company.example' });
    if (answer.status !== 503) return answer;
  }
}

async function credits(): Promise<{ free_verifies: object }> {
  const response = await fetch(`${apis[0]!.url}/v1/credits`, { headers: { 'x-api-key': key } });
  return (await response.json()) as { free_verifies: object };
}

it('two processes at a month end: each month has its own allowance, and every credit is spent once', async () => {
  const ended = await Promise.all(calls(FREE + 10));
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 200));
  expect(await credits()).toMatchObject({
    credits: { total: CREDITS - 10 },
    free_verifies: { limit: FREE, remaining: 0, resets_at: end.resetsAt[0] },
  });

  // Under way when the month ends: which of them are of which month nobody can say.
  const between = calls(80);
  await clock.set(end.at);
  const begun = [...(await Promise.all(between)), ...(await Promise.all(calls(2 * FREE + CREDITS)))];
  const answers = [...ended, ...begun];
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2 * FREE + CREDITS);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(answers.length - (2 * FREE + CREDITS));
  for (const { headers } of answers.filter(({ status }) => status === 402)) {
    expect(headers.get('x-credits-required')).toBe('1');
  }

  const [byMonth] = await database.query(
    `SELECT month, -SUM(free_verifies) AS free, -SUM(purchased) AS credits FROM ledger_entries
      WHERE kind = 'charge' GROUP BY month ORDER BY month`,
  );
  const rows = (byMonth as { month: number; free: string; credits: string }[]).map(({ month, free }) => [
    month,
    Number(free),
  ]);
  expect(rows).toEqual([
    [end.months[0], FREE],
    [end.months[1], FREE],
  ]);
  expect(await credits()).toMatchObject({
    credits: { total: 0 },
    free_verifies: { remaining: 0, resets_at: end.resetsAt[1] },
  });
  expect(await product.cli('ledger', 'audit', '--full')).toEqual({ accounts: 1, mismatches: [] });
});
