import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { DomainCrawlProducer } from '../../src/domains/crawl/domain-crawl.queue.js';
import { DomainInterest } from '../../src/domains/store/domain-interest.js';
import { DomainsRepository } from '../../src/domains/store/domains.repository.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import type { DnsData } from '../lab/dns/dns-data.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, PROBER_NAME } from '../lab/world.js';
import { makeAccount } from './billing-support.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

const TOKEN = 'a-token-of-this-test';
const MANY = Array.from({ length: 40 }, (_, i) => `number${i}.example`);
const dns: DnsData = {
  '.': { secure: true },
  'company.example': { MX: [[10, 'mx.company.example']], TXT: ['v=spf1 -all'], A: ['mx.company.example'] },
  '_dmarc.company.example': { TXT: ['v=DMARC1; p=reject'] },
  '*.wild.example': { MX: [[10, 'mx.company.example']], TXT: ['v=spf1 -all'], A: ['192.0.2.1'] },
  'half.example': { MX: [[10, 'mx.company.example']], fault: { types: ['TXT'], servfail: true } },
  ...Object.fromEntries(MANY.map((name) => [name, { MX: [[10, 'mx.company.example']] }])),
};
const world = joinWorlds({ dns, hosts: {} }, domainWithHost('mail.example', { recipients: { ada: ACCEPTED } }), {
  dns: {},
  hosts: { 'mx.company.example': { recipients: { ada: ACCEPTED } } },
});

let database: MigratedDatabase;
let redis: TestRedis;
let client: Redis;
let lab: Laboratory;
const workers: NestFastifyApplication[] = [];

beforeAll(async () => {
  lab = await startLaboratory(world);
  database = await createMigratedDatabase();
});
beforeEach(async () => {
  redis = await claimTestRedis();
  client = new Redis(redis.url);
  await database.dataSource.query('DELETE FROM domains');
  await database.dataSource.query('DELETE FROM failed_jobs');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  client.disconnect();
  await redis.release();
});
afterAll(async () => {
  await lab?.stop();
  await database?.drop();
});

async function startWorker(env: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
  const settings = loadConfig('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    WORKER_QUEUES: 'domain-crawl',
    DNS_SERVERS: lab.dnsServer,
    DNS_TIMEOUT_MS: '1000',
    SMTP_PORT: String(lab.smtpPort),
    SMTP_HELO_NAME: PROBER_NAME,
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    METRICS_TOKEN: TOKEN,
    ...env,
  });
  const worker = await createWorker(settings, createLog('silent'));
  workers.push(worker);
  await worker.init();
  return worker;
}

interface Row {
  domain: string;
  facts: Record<string, unknown> | null;
  judgement: Record<string, unknown> | null;
  open_parts: string;
  attempts: number;
  begun: number;
  crawled_at: Date | null;
  due_at: Date | null;
}
const rows = () => database.dataSource.query<Row[]>('SELECT * FROM domains ORDER BY domain');
const rowOf = async (domain: string) => (await rows()).find((row) => row.domain === domain);
const repository = () => new DomainsRepository(database.dataSource);
const eventually = (check: () => Promise<boolean>, ms = 60_000) => waitUntil(check, { ms, everyMs: 50 });
const crawled = (domain: string) => async () => (await rowOf(domain))?.crawled_at != null;

/** Row and job, as a call makes them. */
async function ask(worker: NestFastifyApplication, domains: readonly string[]): Promise<void> {
  worker.get(DomainCrawlProducer, { strict: false }).queueCrawls(await repository().ask(domains));
}

describe('domains of one account below a wildcard', () => {
  it('are crawled up to the limit of its plan, each with few queries', async () => {
    const account = await makeAccount(database.dataSource);
    await database.dataSource.query("UPDATE plans SET crawls_per_day = 5 WHERE name = 'free'");
    const worker = await startWorker();
    const before = lab.totalDnsQueries;
    const interest = worker.get(DomainInterest, { strict: false });
    for (let i = 0; i < 200; i++) interest.note(`x${i}.wild.example`, false, account);
    expect(await eventually(async () => (await rows()).filter((row) => row.crawled_at !== null).length === 5)).toBe(
      true,
    );
    expect(await rows()).toHaveLength(5);
    expect((await rows()).map(({ facts }) => facts?.['dkim'])).toEqual([null, null, null, null, null]);
    expect(lab.totalDnsQueries - before).toBeLessThan(5 * 45);
  });
});

describe('a domain', () => {
  it('is crawled before the hundreds that another account asked about earlier', async () => {
    await database.dataSource.query("UPDATE plans SET crawls_per_day = 1000 WHERE name = 'free'");
    const [many, few] = [await makeAccount(database.dataSource), await makeAccount(database.dataSource)];
    const worker = await startWorker();
    const interest = worker.get(DomainInterest, { strict: false });
    const ofMany = Array.from({ length: 300 }, (_, i) => `x${i}.wild.example`);
    for (const domain of ofMany) interest.note(domain, false, many);
    expect(await eventually(async () => (await rows()).some(({ crawled_at }) => crawled_at !== null))).toBe(true);
    interest.note('company.example', false, few);
    expect(await eventually(crawled('company.example'))).toBe(true);
    expect((await rows()).filter(({ crawled_at }) => crawled_at === null).length).toBeGreaterThan(100);
  });
});

describe('a worker that serves the queue', () => {
  it('crawls a new domain, stores its facts, and crawls it again after a week', async () => {
    const worker = await startWorker();
    await ask(worker, ['company.example']);
    expect(await eventually(crawled('company.example'))).toBe(true);
    const row = await rowOf('company.example');
    expect(row).toMatchObject({
      facts: {
        mx: true,
        spf: true,
        dmarc: true,
        dmarcPolicy: 'reject',
        dnssec: 'insecure',
        mailHosts: ['mx.company.example'],
      },
      judgement: { types: ['company'], scoreVersion: 1, parked: false },
      open_parts: '',
      attempts: 0,
      begun: 0,
    });
    const days = (row!.due_at!.getTime() - row!.crawled_at!.getTime()) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    const queue = new Queue('domain-crawl', { connection: client, prefix: '{mailvet}' });
    expect(await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed')).toEqual({
      waiting: 0,
      prioritized: 0,
      active: 0,
      delayed: 0,
      failed: 0,
      completed: 0,
    });
  });
});
