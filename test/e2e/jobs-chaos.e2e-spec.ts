import { Redis } from 'ioredis';
import { createConnection, type Connection } from 'mysql2/promise';
import { setTimeout as delay } from 'node:timers/promises';
import { askedAbout } from '../lab/asked-about.js';
import { spentCredits } from '../support/spent-credits.js';
import { jobWorld, WITHOUT_REFUSALS } from '../integration/job-world.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { startOwnServers, type OwnServer, type OwnServers } from '../support/own-servers.js';
import { startProduct, type Product, type RunningApi, type RunningWorker } from '../support/product.js';
import { expectSoundBooks } from '../support/sound-books.js';
import { seededRandom } from '../../src/platform/collections/seeded-random.js';
import { waitUntil } from '../support/wait-until.js';

/** Fewer by default, for a run of all tests: `JOBS_CHAOS_ROUNDS=30`. */
const ROUNDS = Number(process.env['JOBS_CHAOS_ROUNDS'] ?? 2);
const SEED = Number(process.env['JOBS_CHAOS_SEED'] ?? 20_261_128);
const DOMAINS = 16;
const PER_ROUND = DOMAINS * 12;
const EVENTS_PER_ROUND = 3;
const LATEST_MS = 1200;
const OUTAGE_MS = 1500;

const EVENTS = ['worker killed', 'api killed', 'redis emptied', 'redis restarted', 'database restarted'] as const;
type Event = (typeof EVENTS)[number];

jest.setTimeout(240_000 + ROUNDS * 120_000);

const {
  world,
  emails,
  kindOf,
  expect: expectedOf,
} = jobWorld({
  domains: DOMAINS,
  addresses: ROUNDS * PER_ROUND,
  roundTripMs: 20,
  shares: WITHOUT_REFUSALS,
});
const polite = emails.find((email) => kindOf(email) === 'polite')!;
const politeDomain = polite.slice(polite.indexOf('@') + 1);

let lab: Laboratory;
let servers: OwnServers;
let product: Product;
let key: string;
let api: RunningApi;
let workers: RunningWorker[];

beforeAll(async () => {
  [lab, servers] = await Promise.all([startLaboratory(world), startOwnServers()]);
  product = await startProduct(
    {
      ...laboratoryEnvironment(lab),
      GREYLIST_RETRY_MS: '1500',
    },
    { databaseUrl: servers.mariaDb.url, redisUrl: servers.redis.url },
  );
  await connected((database) =>
    database.query("UPDATE plans SET free_verifies_per_month = 0, requests_per_minute = 1000000 WHERE name = 'scale'"),
  );
  await product.cli('credits', 'grant', product.accountId, '1000000');
  key = await product.createKey('live');
  [api, ...workers] = await Promise.all([product.startApi(), product.startWorker(), product.startWorker()]);
});
afterAll(async () => {
  await product?.close();
  await servers?.close();
  await lab?.stop();
});

/** On a connection of its own: the server may have been another process a moment ago. */
async function connected<T>(ask: (database: Connection) => Promise<T>): Promise<T> {
  const database = await createConnection({ uri: servers.mariaDb.url, timezone: 'Z' });
  try {
    return await ask(database);
  } finally {
    await database.end();
  }
}

/** Each event once, in a random order, then each once more, and so on: few rounds still see all of them. */
function* eventsInTurn(random: () => number): Generator<Event, never> {
  for (;;) {
    const left: Event[] = [...EVENTS];
    while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1);
  }
}

/** Makes it happen, and everything well again. Tells what it was exactly. */
const happen: Readonly<Record<Event, (random: () => number) => Promise<string>>> = {
  'worker killed': async (random) => {
    const victim = Math.floor(random() * workers.length);
    await kill(workers[victim]!);
    workers[victim] = await product.startWorker();
    return '';
  },
  'api killed': async () => {
    await kill(api);
    api = await product.startApi();
    return '';
  },
  'redis emptied': async () => {
    const redis = new Redis(servers.redis.url);
    await redis.flushall();
    redis.disconnect();
    return '';
  },
  'redis restarted': (random) => restart(servers.redis, random),
  'database restarted': (random) => restart(servers.mariaDb, random),
};

async function kill({ process }: RunningApi | RunningWorker): Promise<void> {
  process.kill('SIGKILL');
  await process.exitCode;
}

async function restart(server: OwnServer, random: () => number): Promise<string> {
  const signal = random() < 0.5 ? 'SIGKILL' : 'SIGTERM';
  const awayMs = Math.round(random() * OUTAGE_MS);
  await server.end(signal);
  await delay(awayMs);
  await server.start();
  return ` (${signal}, away for ${awayMs} ms)`;
}

async function read(id: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${api.url}/v1/verify/jobs/${id}`, { headers: { 'x-api-key': key } });
  return (await response.json()) as Record<string, unknown>;
}

/**
 * decisions 6.10: once, on a fresh connection where the host hung up, after greylisting, and once more per crash. Who goes on
 * after a crash does not know how far its holder had come, and a host that hangs up does so to him too.
 */
function allowed(email: string, crashes: number): number {
  const kind = kindOf(email);
  return (kind === 'hanging_up' ? 2 : 1) * (1 + crashes) + (kind === 'greylisting' ? 1 : 0);
}

it(`a job survives whatever happens to its processes and servers (${ROUNDS} rounds of seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const events = eventsInTurn(random);
  for (let round = 1; round <= ROUNDS; round++) {
    const list = emails.slice((round - 1) * PER_ROUND, round * PER_ROUND);
    const repeat = list.find((email) => kindOf(email) === 'polite')!;
    const sent = [...list, 'no address', ` ${repeat.toUpperCase()}`, `info@${politeDomain}`];
    const before = await connected(spentCredits);
    const began = performance.now();
    const submitted = await api.post('/v1/verify/jobs', key, { emails: sent });
    expect(submitted).toMatchObject({ status: 202 });
    const id = String(submitted.body['id']);

    const happened: string[] = [];
    let crashes = 0;
    for (let i = 0; i < EVENTS_PER_ROUND; i++) {
      const event = events.next().value;
      const afterMs = Math.round(random() * LATEST_MS);
      await delay(afterMs);
      const how = await happen[event](random);
      happened.push(`${event}${how} after ${afterMs} ms`);
      // What could not be stored is lost with the holder of its chunk, in an outage too.
      if (event === 'worker killed' || event === 'database restarted') crashes += 1;
    }
    const job = await waitUntil(
      async () => {
        const body = await read(id).catch(() => null);
        return body?.['status'] === 'completed' && body;
      },
      { ms: 110_000, everyMs: 250 },
    );
    process.stdout.write(`round ${round}: ${happened.join(', ')}: ${Math.round(performance.now() - began)} ms\n`);

    if (!job) throw new Error(`not completed: ${JSON.stringify({ ...(await read(id)), results: null })}`);
    const results = job['results'] as Record<string, unknown>[];
    const verdict = ({ email, result, reason, error }: Record<string, unknown>) => ({ email, result, reason, error });
    expect(results.map(verdict)).toEqual([
      ...list.map((email) => ({ email, ...expectedOf(email, 'standard'), error: undefined })),
      verdict({ email: 'no address', error: 'invalid_email' }),
      verdict({ email: repeat, ...expectedOf(repeat, 'standard') }),
      verdict({ email: `info@${politeDomain}`, result: 'role', reason: 'role_address' }),
    ]);
    expect(await connected(spentCredits)).toBe(before + results.filter(({ error }) => error === undefined).length);
    await expectSoundBooks(product);
    const asked = askedAbout(lab, Object.keys(world.hosts));
    const tooOften = list.filter((email) => (asked.get(email) ?? 0) > allowed(email, crashes));
    expect(tooOften.map((email) => [email, asked.get(email), crashes])).toEqual([]);
  }
});
