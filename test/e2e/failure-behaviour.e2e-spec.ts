import { Redis } from 'ioredis';
import { createConnection, type Connection } from 'mysql2/promise';
import { spentCredits } from '../support/spent-credits.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { freePort } from '../support/free-port.js';
import { startOwnServers, type OwnServers } from '../support/own-servers.js';
import { answersOk, startProcess } from '../support/processes.js';
import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';
import { expectSoundBooks } from '../support/sound-books.js';
import { waitUntil } from '../support/wait-until.js';

/** The driver reads what the server says of a statement in the server's own character set, which may be any. */
const CHARACTER_SET = '--character-set-server=cp1251';
/** All tables share one file that cannot grow: a disk that may become full. */
const DISK = ['--innodb-file-per-table=0', '--innodb-data-file-path=ibdata1:48M'];
const MORE_ROOM = ['--innodb-data-file-path=ibdata1:48M;ibdata2:64M'];
const DISK_IS_FULL = 1114;

const domains = Array.from({ length: 8 }, (_, i) => `d${i}.example`);
const world = joinWorlds(
  domainWithHost('company.example', { otherRecipients: ACCEPTED }),
  ...domains.map((domain) => domainWithHost(domain, { otherRecipients: { lines: ACCEPTED, delayMs: 100 } })),
);

let lab: Laboratory;
let servers: OwnServers;
let product: Product;
let admin: Connection;
let redis: Redis;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  [lab, servers] = await Promise.all([
    startLaboratory(world),
    startOwnServers({ mariaDbArguments: [...DISK, CHARACTER_SET] }),
  ]);
  product = await startProduct(
    {
      ...laboratoryEnvironment(lab),
      GREYLIST_RETRY_MS: '1500',
      RATE_LIMIT_FAIL_OPEN_MS: '1000',
    },
    { databaseUrl: servers.mariaDb.url, redisUrl: servers.redis.url },
  );
  admin = await createConnection(servers.mariaDb.adminUrl);
  redis = new Redis(servers.redis.url);
  await admin.query('UPDATE plans SET free_verifies_per_month = 0, requests_per_minute = 1000000');
  await product.cli('credits', 'grant', product.accountId, '1000000');
  key = await product.createKey('live');
  [api] = await Promise.all([product.startApi(), product.startWorker()]);
});
afterAll(async () => {
  redis?.disconnect();
  await admin?.end();
  await product?.close();
  await servers?.close();
  await lab?.stop();
});

const ready = async () => (await fetch(`${api.url}/health/ready`)).json() as Promise<Record<string, unknown>>;
const submit = (emails: readonly string[], as = api): Promise<Answered> => as.post('/v1/verify/jobs', key, { emails });
const people = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domains[i % domains.length]}`);

async function jobOf(id: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${api.url}/v1/verify/jobs/${String(id)}`, { headers: { 'x-api-key': key } });
  return (await response.json()) as Record<string, unknown>;
}

async function completed(id: unknown, ms = 90_000): Promise<Record<string, unknown>[]> {
  const job = await waitUntil(
    async () => {
      const body = await jobOf(id).catch((): Record<string, unknown> => ({}));
      return body['status'] === 'completed' && body;
    },
    { ms, everyMs: 200 },
  );
  if (!job) throw new Error(`not completed: ${JSON.stringify({ ...(await jobOf(id)), results: null })}`);
  return job['results'] as Record<string, unknown>[];
}

function expectRefusedForFree({ status, headers, body }: Answered): void {
  expect({ status, body }).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('x-credits-used') ?? 0)).toBe(0);
}

describe('a database whose disk is full', () => {
  it('accepts no job, charges nothing, and recovers when there is space again', async () => {
    const before = await spentCredits(admin);
    await fillDisk();
    try {
      expectRefusedForFree(await submit(people('refused', 10_000)));
      expect((await api.verify(key, { email: 'no address' })).status).toBe(200);
      expect(await ready()).toMatchObject({
        status: 'degraded',
        details: { database: { status: 'up', writes: 'refused' } },
        warnings: [
          'the disk of the database is full: calls that charge are answered 503; free space there, or give it more',
        ],
      });
    } finally {
      await makeRoom();
    }
    // One for the call that showed that there is room.
    expect(await spentCredits(admin)).toBe(before + 1);
    const { body } = await submit(people('room', 10));
    expect(new Set((await completed(body['id'])).map(({ result }) => result))).toEqual(new Set(['valid']));
    expect(await spentCredits(admin)).toBe(before + 11);
    await expectSoundBooks(product);
    expect(await waitUntil(async () => (await ready())['status'] === 'ok', { ms: 60_000 })).toBe(true);
  });

  /** As an operator does: even a deletion needs some. */
  async function makeRoom(): Promise<void> {
    await admin.end();
    await servers.mariaDb.end('SIGTERM');
    await servers.mariaDb.start(MORE_ROOM);
    admin = await createConnection(servers.mariaDb.adminUrl);
    const takes = async () => (await api.verify(key, { email: 'info@company.example' })).status === 200;
    expect(await waitUntil(takes, { ms: 60_000, everyMs: 200 })).toBe(true);
  }

  /** Nearly to the last page: rows of half the size each time one does not fit. */
  async function fillDisk(): Promise<void> {
    await admin.query('CREATE TABLE filler (id int AUTO_INCREMENT PRIMARY KEY, octets longblob) ENGINE=InnoDB');
    for (let octets = 1 << 20; octets >= 4096;) {
      try {
        await admin.query('INSERT INTO filler (octets) VALUES (REPEAT(?, ?))', ['x', octets]);
      } catch (error) {
        if ((error as { errno?: number }).errno !== DISK_IS_FULL) throw error;
        octets /= 2;
      }
    }
  }
});

it('a read-only database (a failover) causes free refusals until it is writable again', async () => {
  const before = await spentCredits(admin);
  await admin.query('SET GLOBAL read_only = 1');
  const refused = await api.verify(key, { email: 'ada@company.example' });
  const isDegraded = await waitUntil(async () => (await ready())['status'] === 'degraded', { ms: 30_000 });
  const health = await ready();
  await admin.query('SET GLOBAL read_only = 0');
  expectRefusedForFree(refused);
  expect(isDegraded).toBe(true);
  expect(health).toMatchObject({
    details: { database: { status: 'up', writes: 'refused' } },
    warnings: [expect.stringContaining('the database takes no writes') as string],
  });
  expect(await waitUntil(async () => (await ready())['status'] === 'ok', { ms: 30_000 })).toBe(true);
  expect(await spentCredits(admin)).toBe(before);
  expect((await api.verify(key, { email: 'ada@company.example' })).status).toBe(200);
  await expectSoundBooks(product);
});

describe.each([
  ['full', () => redis.config('SET', 'maxmemory', '1'), () => redis.config('SET', 'maxmemory', '0')],
  ['read-only', () => redis.replicaof('127.0.0.1', '1'), () => redis.replicaof('NO', 'ONE')],
])('a Redis that is %s for longer than an outage may last', (state, begin, end) => {
  const pending = async () =>
    (await api.verify(key, { email: `deferred-${state}@company.example`, async: true })).body['reason'];

  beforeAll(begin);
  afterAll(end);

  it('delays no call, deferred probe or job', async () => {
    const job = await submit(people(`memory-${state}`, 40));
    expect(job.status).toBe(202);
    expect(await pending()).toBe('verification_pending');
    expect(new Set((await completed(job.body['id'])).map(({ result }) => result))).toEqual(new Set(['valid']));
    const settled = async () => (await pending()) === 'mailbox_accepts';
    expect(await waitUntil(settled, { ms: 60_000, everyMs: 500 })).toBe(true);
    const single = await api.verify(key, { email: `grace-${state}@company.example` });
    expect(single).toMatchObject({ status: 200, body: { result: 'valid' } });
    expect(single.headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(await ready()).toMatchObject({
      status: 'degraded',
      details: { redis: { status: 'up', writes: 'refused' } },
      warnings: [expect.stringContaining('Redis takes no writes') as string],
    });
    await expectSoundBooks(product);
  });

  it('is used again when it recovers', async () => {
    await end();
    expect(await waitUntil(async () => (await ready())['status'] === 'ok', { ms: 30_000 })).toBe(true);
    const job = await submit(people(`after-${state}`, 20));
    expect(new Set((await completed(job.body['id'])).map(({ result }) => result))).toEqual(new Set(['valid']));
  });
});

it('a log that cannot be written, on a full disk, stops no request', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const process = await startProcess(['dist/main'], {
    env: { ...product.environment, PORT: String(port) },
    isReady: answersOk(`${url}/health/ready`),
    stdout: '/dev/full',
  });
  try {
    for (let i = 0; i < 300; i++) {
      const response = await fetch(`${url}/v1/credits`, { headers: { 'x-api-key': key } });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  } finally {
    expect(await process.stop()).toBe(0);
  }
});
