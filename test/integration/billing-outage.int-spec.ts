import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { waitUntil } from '../support/wait-until.js';
import { ask, BILLED, BillingBench, type Answered, type Caller } from './billing-api.js';
import { balanceOf, entriesOf, mismatches } from './billing-support.js';

const FAIL_OPEN_MS = 1000;

let bench: BillingBench;
let toDatabase: BreakableLink;
let toRedis: BreakableLink;
let api: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start();
  toDatabase = await linkTo(bench.database.url);
  toRedis = await linkTo(bench.redisUrl);
  api = await bench.startApi({
    DATABASE_URL: through(bench.database.url, toDatabase),
    REDIS_URL: through(bench.redisUrl, toRedis),
    RATE_LIMIT_FAIL_OPEN_MS: String(FAIL_OPEN_MS),
  });
});
afterAll(async () => {
  await Promise.all([toDatabase.restore(), toRedis.restore()]);
  await bench.close();
  await Promise.all([toDatabase.close(), toRedis.close()]);
});

async function linkTo(url: string): Promise<BreakableLink> {
  const { hostname: host, port } = new URL(url);
  const link = await breakableLink({ host, port: Number(port) });
  await link.restore();
  return link;
}
function through(url: string, { port }: BreakableLink): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

/** Calls without a pause until `stop`, half of them with a key of their own. */
function callers(caller: Caller, count: number) {
  const answers: { key: string | null; answer: Answered }[] = [];
  const stopping = new AbortController();
  const client = async (number: number): Promise<void> => {
    for (let i = 0; !stopping.signal.aborted; i++) {
      const key = number % 2 === 0 ? `client ${number} call ${i}` : null;
      const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
      answers.push({ key, answer: await ask(api, caller.live, { headers }) });
    }
  };
  const clients = Promise.all(Array.from({ length: count }, (_, number) => client(number)));
  const stop = async () => {
    stopping.abort();
    await clients;
    return answers;
  };
  return { answers, stop };
}
const served = (answers: readonly { answer: Answered }[]): number =>
  answers.filter(({ answer }) => answer.status === 200).length;
const some = (check: () => boolean) => waitUntil(async () => check(), { ms: 60_000 });

/** Charges that stand: without those that were given back. */
async function standing({ accountId }: Caller): Promise<number> {
  const entries = await entriesOf(bench.database.dataSource, accountId);
  return (
    entries.filter(({ kind }) => kind === 'charge').length - entries.filter(({ kind }) => kind === 'refund').length
  );
}

it.each<['cut' | 'silence', number, () => unknown]>([
  ['cut', 4, () => toDatabase.cut()],
  ['silence', 1, () => toDatabase.silence()],
])(
  'a database that goes away (%s, %i times) and comes back: 503 meanwhile, and who was not served has not paid',
  async (_, rounds, lose) => {
    const caller = await bench.newCaller('free-0', { purchased: 100_000 });
    const load = callers(caller, 12);
    for (let round = 0; round < rounds; round++) {
      const before = served(load.answers);
      expect(await some(() => served(load.answers) > before + 30)).toBe(true);
      const lost = load.answers.length;
      await lose();
      expect(await some(() => load.answers.slice(lost).some(({ answer }) => answer.status === 503))).toBe(true);
      await toDatabase.restore();
    }
    const answers = await load.stop();
    const refused = answers.filter(({ answer }) => answer.status !== 200);
    for (const { answer } of refused) {
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(answer.headers['x-credits-used'] ?? 0)).toBe(0);
    }
    // With a key the answer stands with its charge, to be fetched; without one what stands is given back.
    const fetched = [];
    for (const { key, answer } of refused) {
      if (key === null || answer.status !== 503) continue;
      await bench.database.dataSource.query(
        'UPDATE idempotency_records SET expires_at = UTC_TIMESTAMP(3) WHERE status IS NULL',
      );
      fetched.push(await ask(api, caller.live, { headers: { 'idempotency-key': key } }));
    }
    expect(served(fetched.map((answer) => ({ answer })))).toBe(fetched.length);
    const paid = served(answers) + fetched.length;
    expect(await waitUntil(async () => (await standing(caller)) === paid, { ms: 60_000 })).toBe(true);
    expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ purchased: 100_000 - paid });
    expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
    expect(bench.logged.join('')).not.toContain('could not be refunded');
  },
);

it('without the database, answers carry no balance, and free routes work', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 5 });
  expect((await ask(api, caller.live)).status).toBe(200);
  await toDatabase.cut();
  const [free, paid] = [
    await ask(api, caller.live, { payload: '{"email":"no address"}', mayLackBalance: true }),
    await ask(api, caller.live),
  ];
  const credits = await ask(api, caller.live, { url: '/v1/credits', payload: null });
  await toDatabase.restore();
  expect([free.status, paid.status, credits.status]).toEqual([200, 503, 503]);
  for (const { headers } of [free, paid, credits]) {
    expect(headers).not.toHaveProperty('x-credits-remaining');
    expect(headers).not.toHaveProperty('x-verify-free-remaining');
  }
  expect(await waitUntil(async () => (await ask(api, caller.live)).status === 200, { ms: 60_000 })).toBe(true);
});

it('without Redis, calls are charged as usual, later refused for free, and served again when it is back', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 1000 });
  expect((await ask(api, caller.live)).status).toBe(200);
  await toRedis.cut();
  const answers: Answered[] = [];
  const refused = await waitUntil(
    async () => {
      answers.push(await ask(api, caller.live, { payload: BILLED }));
      return answers.at(-1)?.status === 503;
    },
    { ms: 60_000 },
  );
  expect(refused).toBe(true);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(answers.at(-1)?.headers).toMatchObject({ 'retry-after': expect.any(String) });
  await toRedis.restore();
  const back = await waitUntil(
    async () => {
      answers.push(await ask(api, caller.live, { payload: BILLED }));
      return answers.at(-1)?.status === 200;
    },
    { ms: 60_000, everyMs: 100 },
  );
  expect(back).toBe(true);
  expect(await standing(caller)).toBe(1 + answers.filter(({ status }) => status === 200).length);
  expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
});
