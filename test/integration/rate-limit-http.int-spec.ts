import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { AccountService } from '../../src/auth/account.service.js';
import { generateApiKey } from '../../src/auth/api-key.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createApi } from '../../src/roles/api.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

let database: MigratedDatabase;
let redis: TestRedis;
const logged: string[] = [];
/** Two processes of one installation. */
let api: NestFastifyApplication;
let other: NestFastifyApplication;

async function start(env: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
  const settings = loadConfig('api', {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    AUTH_FAILURES_PER_MINUTE: '3',
    SMTP_HELO_NAME: 'prober.test',
    SMTP_CHECK_DOMAINS: 'none',
    ...env,
  });
  const app = await createApi(settings, createLog('info', { write: (line) => void logged.push(line) }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

beforeAll(async () => {
  database = await createMigratedDatabase();
  redis = await claimTestRedis();
  // Small ones, so that nothing flows in while a test runs.
  for (const size of [0, 1, 3, 20]) {
    await database.dataSource.query(
      'INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month) VALUES (?, ?, 0, 0)',
      [`plan-${size}`, size],
    );
  }
  [api, other] = [await start(), await start()];
});
afterAll(async () => {
  await Promise.all([api.close(), other.close()]);
  await redis.release();
  await database.drop();
});

/** A key whose bucket is full. */
async function newKey(plan: string, mode: 'live' | 'test' = 'live'): Promise<{ key: string; accountId: string }> {
  const created = await new AccountService(new AccountRepository(database.dataSource)).create('Acme', plan, 'test');
  if (created.kind !== 'created') throw new Error(created.kind);
  const { id: accountId } = created.account;
  const issued = await new KeyManagementService(new ApiKeyRepository(database.dataSource), {
    keys: { prefix: 'mv' },
  }).create(accountId, mode, null, 'test');
  return { key: issued!.key, accountId };
}

interface Request {
  readonly method?: string;
  readonly url?: string;
  readonly type?: string;
  readonly payload?: string;
  readonly headers?: Record<string, string>;
  readonly from?: string;
}

/** A call of one address that is none: it costs no DNS query and no probe. */
async function ask(key: string | null, request: Request = {}, app = api) {
  const { method = 'POST', url = '/v1/verify/single', type = 'application/json', payload = '{"email":"x"}' } = request;
  const response = await app.inject({
    method: method as 'POST',
    url,
    payload,
    remoteAddress: request.from ?? '127.0.0.1',
    headers: {
      host: 'api.test',
      'content-type': type,
      ...(key === null ? {} : { 'x-api-key': key }),
      ...request.headers,
    },
  });
  return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() };
}

const refusal = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) } } });
const statusOf = async (...asking: Parameters<typeof ask>): Promise<number> => (await ask(...asking)).status;

describe('the order of refusals', () => {
  // Each request breaks every rule from its own on; the first one broken is answered.
  const hostile = { type: 'text/plain', payload: 'x'.repeat(300_000) };
  const large = { payload: hostile.payload };
  it.each<[string, 'spent' | 'full' | null, Request, number, string]>([
    ['unknown path', 'spent', { url: '/v1/nothing', ...hostile }, 404, 'not_found'],
    ['wrong method', 'spent', { method: 'PUT', ...hostile }, 405, 'method_not_allowed'],
    ['no key', null, hostile, 401, 'unauthorized'],
    ['no token', 'spent', hostile, 429, 'rate_limit_exceeded'],
    ['no JSON type', 'full', hostile, 415, 'unsupported_media_type'],
    ['too large', 'full', large, 413, 'payload_too_large'],
    ['no JSON', 'full', { payload: '{"email":5,' }, 400, 'invalid_request'],
    ['broken rule', 'full', { payload: '{"email":5}' }, 422, 'validation_failed'],
  ])('%s', async (_, bucket, request, status, code) => {
    const key = bucket === null ? null : (await newKey(bucket === 'spent' ? 'plan-1' : 'free')).key;
    if (bucket === 'spent') expect(await statusOf(key)).toBe(200);
    const answer = await ask(key, request);
    expect(answer).toMatchObject(refusal(status, code));
    const spent = bucket === 'spent';
    expect(answer.headers).toMatchObject(
      key === null ? {} : { 'x-ratelimit-limit': spent ? '1' : '60', 'x-ratelimit-remaining': spent ? '0' : '59' },
    );
    if (key === null) expect(Object.keys(answer.headers).join()).not.toMatch(/ratelimit/);
  });
});

describe('the headers', () => {
  it('count down by one with every request, whatever the request and the answer', async () => {
    const { key } = await newKey('free');
    const requests: Request[] = [
      {},
      { payload: '{' },
      { url: '/v1/nothing' },
      { method: 'GET', payload: '' },
      { type: 'text/plain' },
      {},
    ];
    const answers = [];
    const began = performance.now();
    for (const request of requests) answers.push(await ask(key, request));
    const flowedIn = Math.ceil((performance.now() - began) / 1000);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 405, 415, 200]);
    for (const [i, { headers }] of answers.entries()) {
      const remaining = Number(headers['x-ratelimit-remaining']);
      expect(remaining).toBeGreaterThanOrEqual(59 - i);
      expect(remaining).toBeLessThanOrEqual(Math.min(59, 59 - i + flowedIn));
    }
  });

  it('are those of the contract and of the draft, with equal values', async () => {
    const { key } = await newKey('plan-20', 'test');
    const before = Date.now();
    const { headers } = await ask(key, { url: '/v1/nothing' });
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '19',
      'ratelimit-policy': '"default";q=20;w=60',
      ratelimit: '"default";r=19;t=3',
      'x-sandbox': 'true',
    });
    const reset = Number(headers['x-ratelimit-reset']);
    expect(reset).toBeGreaterThanOrEqual(Math.ceil((before + 3000) / 1000));
    expect(reset).toBeLessThanOrEqual(Math.ceil((Date.now() + 3000) / 1000));
    expect(headers['retry-after']).toBeUndefined();
  });

  it('of a 429 say when to retry, and mark the sandbox', async () => {
    const { key } = await newKey('plan-3', 'test');
    for (let i = 0; i < 3; i++) await ask(key, { url: '/v1/nothing' });
    const answer = await ask(key);
    expect(answer).toMatchObject(refusal(429, 'rate_limit_exceeded'));
    const wait = Number(answer.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(20);
    expect(answer.headers).toMatchObject({
      'x-ratelimit-remaining': '0',
      ratelimit: `"default";r=0;t=${wait}`,
      'x-sandbox': 'true',
    });
  });

  it('are absent on public routes', async () => {
    const { key } = await newKey('free');
    const { headers } = await ask(key, { method: 'GET', url: '/health/live', payload: '' });
    expect(Object.keys(headers).join()).not.toMatch(/ratelimit/);
  });
});

it('a plan without requests gets 429 for every call', async () => {
  const { key } = await newKey('plan-0');
  const answer = await ask(key);
  expect(answer).toMatchObject(refusal(429, 'rate_limit_exceeded'));
  expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '0', 'retry-after': '60' });
});

it.each([
  ['waits for nothing', []],
  ['waits to be asked for it', ['Expect: 100-continue']],
])('a request without a token is answered before its body arrives: its client %s', async (_, expecting) => {
  const { key } = await newKey('plan-1');
  await ask(key);
  const { port } = api.getHttpServer().address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.write(
    [
      'POST /v1/verify/single HTTP/1.1',
      'Host: api.test',
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      'Content-Length: 200000',
      ...expecting,
      '',
      '',
    ].join('\r\n'),
  );
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 429 /);
});

it('a change of plan changes the limit and keeps the used tokens', async () => {
  const { key, accountId } = await newKey('plan-20');
  for (let i = 0; i < 5; i++) await ask(key);
  await new AccountService(new AccountRepository(database.dataSource)).setPlan(accountId, 'scale', 'test');
  // A process that has not seen this key yet knows of the change at once.
  const { headers } = await ask(key, {}, other);
  expect(headers['x-ratelimit-limit']).toBe('6000');
  expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(6000 - 6);
  expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(6000);
});

it('200 concurrent requests to two processes share one bucket', async () => {
  const { key } = await newKey('plan-20');
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(key, {}, i % 2 === 0 ? api : other)));
  const flowedIn = ((performance.now() - began) * 20) / 60_000;
  const served = answers.filter(({ status }) => status === 200);
  expect(served.length).toBeGreaterThanOrEqual(20);
  expect(served.length).toBeLessThanOrEqual(20 + Math.ceil(flowedIn));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - served.length);
});

describe('a client address that sends unknown keys', () => {
  const unknown = (): string => generateApiKey('mv', 'live');

  it('gets 401 a limited number of times, then 429 from every process; its valid keys keep working', async () => {
    const from = '192.0.2.1';
    const { key } = await newKey('free');
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push(await statusOf(unknown(), { from }, i % 2 === 0 ? api : other));
    expect(statuses).toEqual([401, 401, 401, 429]);
    const refused = await ask(unknown(), { from }, other);
    expect(refused).toMatchObject(refusal(429, 'rate_limit_exceeded'));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Object.keys(refused.headers).join()).not.toMatch(/ratelimit/);
    expect(await statusOf(key, { from })).toBe(200);
    expect(await statusOf(unknown(), { from: '192.0.2.2' })).toBe(401);
    expect(await statusOf(unknown(), { from, url: '/v1/nothing' })).toBe(404);
  });

  it('is not counted for malformed keys, and gets 401 for them at any time', async () => {
    const from = '192.0.2.3';
    const mistyped = unknown().replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const header of [null, '', 'secret', mistyped]) {
      for (let i = 0; i < 3; i++) expect(await statusOf(header, { from })).toBe(401);
    }
    for (let i = 0; i < 3; i++) expect(await statusOf(unknown(), { from })).toBe(401);
    expect(await statusOf(unknown(), { from })).toBe(429);
    expect(await statusOf(mistyped, { from })).toBe(401);
  });

  it('is counted as its whole /64', async () => {
    const statuses = [];
    for (let i = 1; i <= 4; i++) statuses.push(await statusOf(unknown(), { from: `2001:db8:0:7::${i}` }));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await statusOf(unknown(), { from: '2001:db8:0:8::1' })).toBe(401);
  });

  it('is taken only from a trusted proxy', async () => {
    const behind = await start({ TRUST_PROXY: '192.0.2.100' });
    const through = (client: string, from: string) =>
      statusOf(unknown(), { from, headers: { 'x-forwarded-for': client } }, behind);
    for (let i = 0; i < 4; i++) await through('198.51.100.1', '192.0.2.100');
    expect(await through('198.51.100.1', '192.0.2.100')).toBe(429);
    expect(await through('198.51.100.2', '192.0.2.100')).toBe(401);
    // What the client itself wrote before the balancer's own entry does not count.
    expect(await through('198.51.100.9, 198.51.100.1', '192.0.2.100')).toBe(429);
    const statuses = [];
    for (let i = 1; i <= 4; i++) statuses.push(await through(`203.0.113.${i}`, '192.0.2.101'));
    expect(statuses).toEqual([401, 401, 401, 429]);
    await behind.close();
  });
});

describe('when Redis goes down', () => {
  let link: BreakableLink;
  let lonely: NestFastifyApplication;
  const FAIL_OPEN_MS = 8000;

  beforeAll(async () => {
    const url = new URL(redis.url);
    link = await breakableLink({ host: url.hostname, port: Number(url.port) });
    url.port = String(link.port);
    await link.restore();
    lonely = await start({ REDIS_URL: url.href, RATE_LIMIT_FAIL_OPEN_MS: String(FAIL_OPEN_MS) });
  });
  afterAll(async () => {
    await lonely.close();
    await link.close();
  });

  /** Waits until the process counts with all others again: only then does a spent bucket refuse. */
  async function reunited(): Promise<void> {
    await link.restore();
    const { key } = await newKey('plan-1');
    await ask(key);
    expect(await waitUntil(async () => (await statusOf(key, {}, lonely)) === 429, { ms: 60_000 })).toBe(true);
  }

  it.each([
    ['and refuses connections', () => link.cut()],
    ['and says nothing', async () => link.silence()],
  ])('%s: the process counts by itself, then answers 503, and recovers when it is back', async (_, breakLink) => {
    await reunited();
    const { key } = await newKey('plan-3');
    const first = await ask(key, {}, lonely);
    expect(first.headers).toMatchObject({ 'x-ratelimit-remaining': '2' });
    await breakLink();
    const began = performance.now();

    // A bucket of its own, of the same size.
    const alone = [];
    for (let i = 0; i < 4; i++) alone.push(await ask(key, {}, lonely));
    expect(performance.now() - began).toBeLessThan(FAIL_OPEN_MS);
    expect(alone.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);

    const { key: busy } = await newKey('scale');
    const refused = async () => (await statusOf(busy, {}, lonely)) === 503;
    expect(await waitUntil(refused, { ms: 3 * FAIL_OPEN_MS })).toBe(true);
    const outage = await ask(busy, {}, lonely);
    expect(outage).toMatchObject(refusal(503, 'service_unavailable'));
    expect(Number(outage.headers['retry-after'])).toBeGreaterThan(0);
    expect(Object.keys(outage.headers).join()).not.toMatch(/ratelimit/);

    // Who has no valid key learns nothing new, and 404 comes before 503.
    expect(await statusOf(null, {}, lonely)).toBe(401);
    expect(await statusOf(generateApiKey('mv', 'live'), { from: '192.0.2.50' }, lonely)).toBe(401);
    expect(await statusOf(busy, { url: '/v1/nothing' }, lonely)).toBe(404);

    await reunited();
    expect(await ask(key, {}, lonely)).toMatchObject({ status: 200, headers: { 'x-ratelimit-limit': '3' } });
  });

  it('the outage and its end are logged once', () => {
    const lines = logged.filter((line) => line.includes('"RateLimit"'));
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    const gone = 'Redis does not keep rate limits: each process applies its own';
    const back = 'rate limits are shared by all processes again';
    expect(messages.length).toBeGreaterThanOrEqual(4);
    expect(messages).toEqual(messages.map((_, i) => (i % 2 === 0 ? gone : back)));
    expect(logged.join('')).not.toMatch(/mv_(live|test)_/);
  });
});
