import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import type { DnsData } from '../lab/dns/dns-data.js';
import { expectDescribed } from '../support/openapi/expect-described.js';
import { BillingBench, type Caller } from './billing-api.js';

const MX = [[10, 'mx.shop.example']] as const;
const dns: DnsData = {
  'shop.example': { MX: [...MX], TXT: ['v=spf1 -all'] },
  '_dmarc.shop.example': { TXT: ['v=DMARC1; p=reject'] },
  'mx.shop.example': { A: ['127.0.0.1'] },
  'half.example': { MX: [...MX], fault: { types: ['TXT'], servfail: true } },
  'mute.example': { MX: [...MX], fault: { types: ['TXT'], silent: true } },
  'other.example': { MX: [...MX] },
  'third.example': { MX: [...MX] },
};

let bench: BillingBench;
let api: NestFastifyApplication;
let worker: NestFastifyApplication | null = null;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start({ dns, hosts: {} });
  api = await bench.startApi();
  caller = await bench.newCaller('free-0', { purchased: 5 });
});
afterAll(async () => {
  await worker?.close();
  await bench.close();
});

async function startWorker(): Promise<void> {
  const settings = loadConfig('worker', {
    DATABASE_URL: bench.database.url,
    REDIS_URL: bench.redisUrl,
    WORKER_QUEUES: 'domain-crawl',
    DNS_SERVERS: bench.lab.dnsServer,
    DNS_TIMEOUT_MS: '1000',
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_CHECK_DOMAINS: 'none',
  });
  worker = await createWorker(settings, createLog('silent'));
  await worker.init();
}

async function lookUp(domain: unknown, key = caller.live): Promise<{ status: number; body: Record<string, unknown> }> {
  const url = '/v1/domains/lookup';
  const headers = { host: 'api.test', 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await api.inject({ method: 'POST', url, headers, payload: JSON.stringify({ domain }) });
  const { statusCode: status, body } = answer;
  expectDescribed({ method: 'POST', url, status, headers: answer.headers, body, key });
  expect(answer.headers['x-credits-remaining']).toBe('5');
  return { status, body: answer.json() };
}
const crawlsUsed = async (): Promise<number> => {
  const [row] = await bench.database.dataSource.query<{ used: string | null }[]>(
    'SELECT SUM(used) AS used FROM crawl_counts',
  );
  return Number(row!.used ?? 0);
};

it('answers 503 for a domain that nobody crawls in time, and keeps the request for a worker', async () => {
  const { status, body } = await lookUp('other.example');
  expect([status, body]).toMatchObject([503, { error: { code: 'verify_unavailable' } }]);
  await startWorker();
  expect(await lookUp('other.example')).toMatchObject({ status: 200, body: { name: 'other.example', spf: false } });
  expect(await crawlsUsed()).toBe(1);
});

it('crawls a domain that is not known once, for all who ask at once, and answers from then on without a worker', async () => {
  const used = await crawlsUsed();
  const answers = await Promise.all(Array.from({ length: 8 }, () => lookUp(' Shop.Example ')));
  const shop = { name: 'shop.example', spf: true, dmarc: true, dmarc_policy: 'reject' };
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { ...shop, blocked: false } });
  expect(await crawlsUsed()).toBe(used + 1);
  await worker!.close();
  worker = null;
  expect(await lookUp('shop.example')).toMatchObject({ status: 200, body: shop });
  await startWorker();
});

it.each([
  ['whose servers fail', 'half.example'],
  ['whose servers do not answer', 'mute.example'],
])('answers null for parts of a domain %s', async (_, domain) => {
  const { status, body } = await lookUp(domain);
  expect([status, body]).toMatchObject([200, { name: domain, spf: null, mta_sts: null, blocked: false }]);
});

it("crawls no more domains than the plan's crawls of a day", async () => {
  await bench.database.dataSource.query("UPDATE plans SET crawls_per_day = 1 WHERE name = 'free-1'");
  const poor = await bench.newCaller('free-1', { purchased: 5 });
  await bench.database.dataSource.query(
    'INSERT INTO crawl_counts (account_id, day, used) SELECT id, UTC_DATE(), 1 FROM accounts WHERE plan = ?',
    ['free-1'],
  );
  const url = '/v1/domains/lookup';
  const headers = { host: 'api.test', 'x-api-key': poor.live, 'content-type': 'application/json' };
  const refused = await api.inject({ method: 'POST', url, headers, payload: '{"domain":"third.example"}' });
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { error: { code: 'quota_exceeded' } }]);
  const rows = await bench.database.dataSource.query<unknown[]>("SELECT 1 FROM domains WHERE domain = 'third.example'");
  expect(rows).toEqual([]);
  const known = await api.inject({ method: 'POST', url, headers, payload: '{"domain":"shop.example"}' });
  expect(known.statusCode).toBe(200);
});

it.each([
  ['ada@company.example'],
  ['localhost'],
  ['a b.example'],
  [''],
  [7],
  [null],
  ['x'.repeat(300)],
  ['\u0000.example'],
])('refuses %j, which is no domain', async (domain) => {
  const { status, body } = await lookUp(domain);
  expect([status, body]).toMatchObject([422, { error: { code: 'validation_failed' } }]);
  expect(JSON.stringify(body)).not.toContain('company.example');
});

it('answers a test key from its fixtures, and asks nobody', async () => {
  const queries = bench.lab.totalDnsQueries;
  const before = await crawlsUsed();
  expect(await lookUp('disposable.example', caller.test)).toMatchObject({
    status: 200,
    body: { name: 'disposable.example', types: ['disposable', 'public'] },
  });
  expect(await lookUp('servererror.example', caller.test)).toMatchObject({ status: 503 });
  expect(await lookUp('ratelimit.example', caller.test)).toMatchObject({ status: 429 });
  expect([bench.lab.totalDnsQueries, await crawlsUsed()]).toEqual([queries, before]);
});
