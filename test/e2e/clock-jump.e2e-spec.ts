import { resolve } from 'node:path';
import { Redis } from 'ioredis';
import { createConnection, type Connection } from 'mysql2/promise';
import { retryLockConflicts } from '../../src/platform/database/retry-lock-conflicts.js';
import { QUEUE_PREFIX } from '../../src/platform/queues/queue-without-error-log.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Answered, type Product, type RunningApi, type RunningWorker } from '../support/product.js';
import { expectSoundBooks } from '../support/sound-books.js';
import { waitUntil } from '../support/wait-until.js';

const HOUR_MS = 3_600_000;
const MONTH_MS = 31 * 24 * HOUR_MS;
const FREE = 100_000;
/** Requests a minute of the account whose limit is looked at. */
const CAPACITY = 60;
/** First ahead by an hour, then as much behind. */
const AHEAD_THEN_BEHIND = [HOUR_MS, -2 * HOUR_MS];
const jumpingBy = (jumps: readonly number[]): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require=${resolve(__dirname, '../support/jumping-clock.cjs')}`,
  CLOCK_JUMPS_MS: jumps.join(','),
});

const domains = Array.from({ length: 4 }, (_, i) => `d${i}.example`);
const world = joinWorlds(
  domainWithHost('company.example', { otherRecipients: ACCEPTED }),
  domainWithHost('grey.example', {
    otherRecipients: ACCEPTED,
    greylist: { afterMs: 500, answer: '451 4.7.1 Greylisted, try again later' },
  }),
  ...domains.map((domain) => domainWithHost(domain, { otherRecipients: { lines: ACCEPTED, delayMs: 100 } })),
);

let lab: Laboratory;
let product: Product;
let database: Connection;
let redis: Redis;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    GREYLIST_RETRY_MS: '4000',
  });
  database = await createConnection({ uri: product.databaseUrl });
  redis = new Redis(product.environment['REDIS_URL']!);
  await database.query(
    "UPDATE plans SET free_verifies_per_month = ?, requests_per_minute = IF(name = 'free', ?, 1000000)",
    [FREE, CAPACITY],
  );
  key = await product.createKey('live');
  api = await product.startApi();
});
afterAll(async () => {
  redis?.disconnect();
  await database?.end();
  await product?.close();
  await lab?.stop();
});

async function get(as: RunningApi, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${as.url}${path}`, { headers: { 'x-api-key': key } });
  return (await response.json()) as Record<string, unknown>;
}

/** Lets the clock of an API jump, and waits until it says so. @param byMs how far off the clock is then */
async function jump(jumping: RunningApi, byMs: number): Promise<void> {
  jumping.process.kill('SIGUSR2');
  const isThere = async () => {
    const { body } = await jumping.verify(key, { email: 'no address' });
    return Math.abs(Date.parse(String(body['checked_at'])) - Date.now() - byMs) < HOUR_MS / 2;
  };
  expect(await waitUntil(isThere, { ms: 60_000 })).toBe(true);
}

describe('an API whose clock jumps an hour ahead, and then back', () => {
  let jumping: RunningApi;
  let limited: string;
  beforeAll(async () => {
    [jumping, limited] = await Promise.all([product.startApi(jumpingBy(AHEAD_THEN_BEHIND)), createLimitedKey()]);
    for (const as of [jumping, api]) await expectFreshness(as, 'before@company.example');
  });

  it.each([
    ['ahead', HOUR_MS],
    ['back', -HOUR_MS],
  ])('%s: limits, cached checks and leases keep working', async (name, offByMs) => {
    await burst();
    await jump(jumping, offByMs);
    // Nothing but what the time that really passed let flow in.
    const began = performance.now();
    const served = (await burst()).filter(({ status }) => status === 200).length;
    expect(served).toBeLessThanOrEqual(CAPACITY / 4 + ((performance.now() - began) * CAPACITY) / 60_000);
    const isServedAgain = async () => (await jumping.verify(limited, { email: 'no address' })).status === 200;
    expect(await waitUntil(isServedAgain, { ms: 60_000, everyMs: 100 })).toBe(true);

    await expectFreshness(jumping, 'before@company.example', 'cached_recent');
    // One lead for both processes, and what the one found out serves the other.
    const email = `${name}@d0.example`;
    const both = await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? api : jumping).verify(key, { email })));
    expect(both.map(({ status, body }) => [status, body['result']])).toEqual(both.map(() => [200, 'valid']));
    for (const as of [api, jumping]) await expectFreshness(as, email, 'cached_recent');
    expect(asked([email, 'before@company.example'])).toEqual([1, 1]);
    await expectSoundBooks(product);
  });

  async function createLimitedKey(): Promise<string> {
    const { id } = await product.cli<{ id: string }>('account', 'create', '--name', 'Limited', '--plan', 'free');
    return (await product.cli<{ key: string }>('key', 'create', id, '--mode', 'live')).key;
  }

  /** Some at a time: an API that has many to begin at once may not hear in time what Redis says, and counts by itself. */
  async function burst(): Promise<Answered[]> {
    const answers: Answered[] = [];
    while (answers.length < 2 * CAPACITY) {
      const calls = Array.from({ length: 30 }, () => jumping.verify(limited, { email: 'no address' }));
      answers.push(...(await Promise.all(calls)));
    }
    return answers;
  }

  async function expectFreshness(as: RunningApi, email: string, freshness?: string): Promise<void> {
    const { status, body } = await as.verify(key, { email });
    expect({ status, ...body }).toMatchObject({ status: 200, result: 'valid', ...(freshness && { freshness }) });
  }
});

it('an API whose clock is a month ahead grants no allowance of the next month', async () => {
  const jumping = await product.startApi(jumpingBy([MONTH_MS]));
  const { free_verifies: before } = await get(api, '/v1/credits');
  await jump(jumping, MONTH_MS);
  expect((await jumping.verify(key, { email: 'month@company.example' })).status).toBe(200);
  const { free_verifies: after } = await get(jumping, '/v1/credits');
  expect(after).toEqual((await get(api, '/v1/credits'))['free_verifies']);
  expect(after).toMatchObject({ resets_at: (before as { resets_at: string }).resets_at });
  const remaining = (of: unknown): number => (of as { remaining: number }).remaining;
  expect(remaining(after)).toBeLessThan(remaining(before));
  await expectSoundBooks(product);
});

describe('a single worker whose clock jumps an hour during its work', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await product.startWorker(jumpingBy(AHEAD_THEN_BEHIND));
  });
  afterAll(async () => {
    await worker?.process.stop();
  });

  it.each(['ahead', 'back'])(
    '%s: a job and deferred probes complete in time, and no address is probed twice',
    async (name) => {
      const people = Array.from({ length: 24 }, (_, i) => `${name}${i}@${domains[i % domains.length]}`);
      const grey = [`${name}.one@grey.example`, `${name}.two@grey.example`];
      const single = `${name}.single@grey.example`;
      const { status, body } = await api.post('/v1/verify/jobs', key, { emails: [...people, ...grey] });
      expect(status).toBe(202);
      await api.verify(key, { email: single, async: true });
      // The retries of both wait on the queues, by the clock that is to jump.
      const waits = async (queue: string) => (await redis.zcard(`${QUEUE_PREFIX}:${queue}:delayed`)) > 0;
      const retriesWait = async () => (await waits('job-batch')) && (await waits('smtp-probe'));
      expect(await waitUntil(retriesWait, { ms: 60_000, everyMs: 5 })).toBe(true);
      worker.process.kill('SIGUSR2');
      await letReconcilersLook();

      const path = `/v1/verify/jobs/${String(body['id'])}`;
      const isOver = async () => (await get(api, path))['status'] === 'completed';
      expect(await waitUntil(isOver, { ms: 60_000, everyMs: 200 })).toBe(true);
      expect((await get(api, path))['results']).toMatchObject([...people, ...grey].map(() => ({ result: 'valid' })));
      const isSettled = async () => {
        const answer = await api.verify(key, { email: single, async: true });
        return answer.body['reason'] !== 'verification_pending' && asked([single])[0] !== 1;
      };
      expect(await waitUntil(isSettled, { ms: 60_000, everyMs: 200 })).toBe(true);
      expect((await api.verify(key, { email: single })).body['result']).toBe('valid');
      expect(asked(people)).toEqual(people.map(() => 1));
      expect(asked([...grey, single])).toEqual([2, 2, 2]);
      await expectSoundBooks(product);
    },
  );

  /** As if what waits on the queues had been put there a minute ago: what is due then counts as lost. */
  async function letReconcilersLook(): Promise<void> {
    // The worker writes these rows too.
    for (const sql of [
      "UPDATE job_chunks SET queued_at = queued_at - INTERVAL 1 MINUTE WHERE state = 'due'",
      'UPDATE pending_probes SET queue_at = due_at WHERE active = 1',
    ]) {
      await retryLockConflicts(() => database.query(sql));
    }
  }
});

/** How often mail hosts were asked about each. */
function asked(emails: readonly string[]): number[] {
  const lines = Object.keys(world.hosts)
    .flatMap((host) => lab.sessions(host))
    .flatMap(({ commands }) => commands);
  return emails.map((email) => lines.filter((line) => line.toLowerCase().startsWith(`rcpt to:<${email}>`)).length);
}
