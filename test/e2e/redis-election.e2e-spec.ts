import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { setTimeout as delay } from 'node:timers/promises';
import { jobWorld, WITHOUT_REFUSALS } from '../integration/job-world.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { freePort } from '../support/free-port.js';
import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';
import {
  holderOf,
  moveSlot,
  primaryOf,
  startCluster,
  startSentinels,
  type RedisGroup,
  type RedisNode,
} from '../support/redis-nodes.js';
import { expectSoundBooks } from '../support/sound-books.js';
import { spentCredits } from '../support/spent-credits.js';
import { waitUntil } from '../support/wait-until.js';
import { stopwatch } from '../support/waited-for-processor.js';

/** Fewer by default, for a run of all tests: `npm run test:chaos` has more. */
const ENTRIES = Number(process.env['REDIS_ELECTION_ENTRIES'] ?? 300);
const SINGLES_PER_SECOND = Number(process.env['REDIS_ELECTION_SINGLES'] ?? 10);
const IS_LONG = ENTRIES >= 2000;
const RECOVERY_MS = 5000;
/** As the clients do that Retry-After tells to wait, but sooner. */
const AGAIN_MS = 500;
const DOMAINS = 16;
const ASKED_SINGLY = 160;

const {
  world,
  emails,
  kindOf,
  expect: expectedOf,
} = jobWorld({
  domains: DOMAINS,
  addresses: (IS_LONG ? 3 : 2) * (ENTRIES + ASKED_SINGLY),
  roundTripMs: 300,
  shares: WITHOUT_REFUSALS,
});

let lab: Laboratory;
let product: Product;
let database: Connection;
let key: string;
/** Addresses that an earlier test has asked about. */
let taken = 0;
const closing: (() => Promise<unknown>)[] = [];

jest.setTimeout(600_000);
beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    GREYLIST_RETRY_MS: '1500',
    SMTP_PROBE_QUEUES: '2',
  });
  database = await createConnection({ uri: product.databaseUrl, timezone: 'Z' });
  await database.query(
    "UPDATE plans SET free_verifies_per_month = 0, requests_per_minute = 1000000 WHERE name = 'scale'",
  );
  await product.cli('credits', 'grant', product.accountId, '1000000');
  key = await product.createKey('live');
});
afterAll(async () => {
  await database?.end();
  await product?.close();
  await lab?.stop();
});

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Scenario {
  /** How long after the election queues may not be served. */
  readonly recoveryMs?: number;
  readonly start: () => Promise<RedisGroup>;
  /** Makes it die in the middle of the job. @returns whether another one has taken over what it held */
  readonly killPrimary: (group: RedisGroup) => Promise<() => Promise<boolean>>;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'three sentinels': {
    start: startSentinels,
    killPrimary: async (group) => {
      const lost = (await primaryOf(group))!;
      await lost.kill();
      return async () => {
        const primary = await primaryOf(group);
        if (primary === null || primary === lost) return false;
        return (await primary.admin.info('replication')).includes('role:master');
      };
    },
  },
  'three primaries of a cluster, with a slot that moves': {
    start: startCluster,
    killPrimary: (group) => loseClusterPrimary(group, 'SIGKILL'),
  },
  // Its connections stay open, so that those who wait for it learn of nothing.
  ...(IS_LONG && {
    'three primaries of a cluster, one of which hangs': {
      recoveryMs: 2 * RECOVERY_MS,
      start: startCluster,
      killPrimary: (group: RedisGroup) => loseClusterPrimary(group, 'SIGSTOP'),
    },
  }),
};

/** Loses the primary of a cluster that holds the queue of the job and the tokens of the singles. */
async function loseClusterPrimary(group: RedisGroup, signal: 'SIGKILL' | 'SIGSTOP'): Promise<() => Promise<boolean>> {
  const primaries = group.nodes.slice(0, 3);
  const keys = (await Promise.all(primaries.map(({ admin }) => admin.keys('mailvet:rate:{key:*')))).flat();
  const [queue, bucket] = ['{mailvet:job-batch}', keys[0]!];
  const from = await holderOf(queue, primaries[0]!, group);
  const atBucket = await holderOf(bucket, primaries[0]!, group);
  const to = from === atBucket ? primaries.find((node) => node !== from)! : atBucket;
  // One node then holds both, the queue of the job and the tokens of the singles.
  for (const tagged of new Set([queue, ...(to === atBucket ? [] : [bucket])])) {
    await moveSlot(Number(await to.admin.call('CLUSTER', 'KEYSLOT', tagged)), from, to);
  }
  const witness = primaries.find((node) => node !== to)!;
  await to.kill(signal);
  return async () => isNew(to, await holderOf(queue, witness, group));
}

function isNew(lost: RedisNode, holder: RedisNode | undefined): boolean {
  return holder !== undefined && holder !== lost;
}

interface Asked {
  readonly ms: number;
  /** How often it was told to come back: a refusal costs nothing. */
  readonly refusals: number;
}

/** Asks for addresses in turn, so many a second, until it is told to stop. */
function askSingly(api: RunningApi, addresses: readonly string[]) {
  const answers: Promise<Asked>[] = [];
  const ask = async (email: string): Promise<Asked> => {
    const began = performance.now();
    let calls = 0;
    await accepted(200, () => {
      calls += 1;
      return api.verify(key, { email });
    });
    return { ms: performance.now() - began, refusals: calls - 1 };
  };
  const timer = setInterval(() => {
    answers.push(ask(addresses[answers.length % addresses.length]!));
  }, 1000 / SINGLES_PER_SECOND);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

/** What a call is answered with that comes back where a busy machine refuses it, which is free. */
async function accepted(status: number, call: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answered = await call();
    if (answered.status === status) return answered;
    if (answered.status !== 503) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`);
    await delay(AGAIN_MS);
  }
}

async function isPending(domain: string): Promise<boolean> {
  const [rows] = await database.query<RowDataPacket[]>('SELECT id FROM pending_probes WHERE domain = ?', [domain]);
  return rows.length > 0;
}

it.each(Object.entries(scenarios))('%s: nobody notices that a primary is killed', async (name, scenario) => {
  const group = await scenario.start();
  closing.push(() => group.close());
  const metricsPort = await freePort();
  const [api, ...workers] = await Promise.all([
    product.startApi({ REDIS_URL: group.url, METRICS_PORT: String(metricsPort) }),
    product.startWorker({ REDIS_URL: group.url }),
    product.startWorker({ REDIS_URL: group.url }),
  ]);
  closing.push(() => Promise.all([api, ...workers].map((running) => running.process.stop())));
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const areLimitsShared = async (): Promise<boolean> => /^mailvet_rate_limit_outage_seconds 0$/m.test(await metrics());
  const mine = emails.slice(taken, (taken += ENTRIES + ASKED_SINGLY));
  const ofJob = mine.slice(0, ENTRIES);
  const [deferred = '', ...further] = mine.slice(ENTRIES).filter((email) => kindOf(email) === 'polite');
  const domain = deferred.slice(deferred.indexOf('@') + 1);
  const ofSingles = further.filter((email) => !email.endsWith(`@${domain}`));
  const spent = await spentCredits(database);

  const singles = askSingly(api, ofSingles);
  closing.push(singles.stop);
  const began = performance.now();
  const submitted = await accepted(202, () => api.post('/v1/verify/jobs', key, { emails: ofJob }));
  const read = async (): Promise<Record<string, unknown>> => {
    const url = `${api.url}/v1/verify/jobs/${String(submitted.body['id'])}`;
    return (await (await fetch(url, { headers: { 'x-api-key': key } })).json()) as Record<string, unknown>;
  };
  const done = async (): Promise<number> => {
    const { done: entries = 0 } = ((await read())['progress'] ?? {}) as { readonly done?: number };
    return entries;
  };
  expect(await waitUntil(async () => (await done()) > 0, { ms: 60_000 })).toBe(true);

  const hasNewPrimary = await scenario.killPrimary(group);
  const killedAt = performance.now();
  const doneBefore = await done();
  expect(await waitUntil(hasNewPrimary, { ms: 60_000 })).toBe(true);
  const electedAt = performance.now();
  /** The wait for a processor is no part of it. */
  const sinceElection = stopwatch(api.process.pid, process.pid);
  expect(await waitUntil(areLimitsShared, { ms: 60_000 })).toBe(true);
  const [limitsMs, limitsOwnMs] = [performance.now() - electedAt, sinceElection()];
  await accepted(200, () => api.verify(key, { email: deferred, async: true }));
  expect(await waitUntil(async () => !(await isPending(domain)), { ms: 60_000 })).toBe(true);
  const queuesMs = performance.now() - electedAt;

  const completed = async () => {
    const body = await read();
    return body['status'] === 'completed' && (body['results'] as Record<string, unknown>[]);
  };
  const results = await waitUntil(completed, { ms: 240_000, everyMs: 250 });
  const jobMs = performance.now() - began;
  const answers = await singles.stop();
  const figures = {
    entries: ENTRIES,
    done_before: doneBefore,
    singles: answers.length,
    election_ms: electedAt - killedAt,
    limits_shared_after_ms: limitsMs,
    queues_served_after_ms: queuesMs,
    refusals: answers.reduce((sum, { refusals }) => sum + refusals, 0),
    slowest_single_ms: Math.max(...answers.map(({ ms }) => ms)),
    job_ms: jobMs,
  };
  process.stdout.write(
    `${name}: ${JSON.stringify(figures, (_, n: unknown) => (typeof n === 'number' ? Math.round(n) : n))}\n`,
  );

  expect(results?.map(({ email, result, reason }) => ({ email, result, reason }))).toEqual(
    ofJob.map((email) => ({ email, ...expectedOf(email, 'standard') })),
  );
  // A busy machine may make MySQL late; that Redis was away must not have been the reason.
  expect(await metrics()).not.toMatch(/^mailvet_refused_requests_total\{why="outage"\} [1-9]/m);
  expect(doneBefore).toBeLessThan(ENTRIES);
  expect(await spentCredits(database)).toBe(spent + ENTRIES + answers.length + 1);
  await expectSoundBooks(product);
  expect(limitsOwnMs).toBeLessThan(RECOVERY_MS);
  // A machine with other work may be late, or refuse a call because MySQL is.
  if (!IS_LONG) return;
  expect(queuesMs).toBeLessThan(scenario.recoveryMs ?? RECOVERY_MS);
  expect(figures.refusals).toBe(0);
});
