import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { AccountService } from '../../src/auth/account.service.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createApi } from '../../src/roles/api.js';
import { createWorker } from '../../src/roles/worker.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

/** Stands in whatever must not be logged. */
const MARK = 'zqmarked';
let database: MigratedDatabase;
let redis: TestRedis;
let link: BreakableLink;
let api: NestFastifyApplication;
let worker: NestFastifyApplication;
let key: string;
const logged: { readonly role: string; readonly line: string }[] = [];
const linesOf = (role: string) =>
  logged.filter((each) => each.role === role).map(({ line }) => JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  database = await createMigratedDatabase();
  redis = await claimTestRedis();
  const server = new URL(redis.url);
  link = await breakableLink({ host: server.hostname, port: Number(server.port) });
  await link.restore();
  const redisUrl = new URL(redis.url);
  redisUrl.port = String(link.port);
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl.href,
    METRICS_PORT: '0',
    SMTP_HELO_NAME: 'prober.test',
    SMTP_CHECK_DOMAINS: 'none',
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    DNS_SERVERS: '127.0.0.1:1',
    LOG_LEVEL: 'trace',
  };
  const log = (role: string) => createLog('trace', { write: (line) => void logged.push({ role, line }) });
  api = await createApi(loadConfig('api', env), log('api'));
  worker = await createWorker(loadConfig('worker', env), log('worker'));
  for (const app of [api, worker]) await app.init();
  const created = await new AccountService(new AccountRepository(database.dataSource)).create('Acme', 'scale', 'test');
  if (created.kind !== 'created') throw new Error(created.kind);
  const keys = new KeyManagementService(new ApiKeyRepository(database.dataSource), { keys: { prefix: 'mv' } });
  key = (await keys.create(created.account.id, 'live', null, 'test'))!.key;
});
afterAll(async () => {
  await Promise.all([api.close(), worker.close()]);
  await link.close();
  await redis.release();
  await database.drop();
});

async function ask(method: string, url: string, payload?: string, headers: Record<string, string> = {}) {
  return api.inject({
    method: method as 'POST',
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: { host: 'api.test', 'x-api-key': key, 'content-type': 'application/json', ...headers },
  });
}

it('every request has one log line, with its route only', async () => {
  const before = linesOf('api').length;
  const { headers } = await ask('POST', `/v1/verify/single?${MARK}=1`, `{"email":"${MARK}"}`);
  await waitUntil(async () => linesOf('api').length > before, { ms: 60_000 });
  const own = linesOf('api').filter(({ requestId, msg }) => requestId === headers['x-request-id'] && msg === 'request');
  expect(own).toHaveLength(1);
  expect(Object.keys(own[0]!).sort()).toEqual(['level', 'method', 'ms', 'msg', 'requestId', 'route', 'status', 'time']);
});

it('the worker logs the id of the request that caused its work', async () => {
  const requestId = 'request-1.of:test_2';
  const { statusCode } = await ask('POST', '/v1/verify/jobs', `{"emails":["${MARK}@${MARK}.example"]}`, {
    'x-request-id': requestId,
  });
  expect(statusCode).toBe(202);
  // Its DNS does not answer: planner and chunks go on later, and say why where there is something to say.
  const data = await waitUntil(
    async () => {
      const keys = await redisKeys();
      const jobs = await Promise.all(keys.map(async (name) => redisField(name, 'data')));
      return jobs.find((each) => each?.includes(requestId) === true && each.includes('chunk'));
    },
    { ms: 60_000 },
  );
  expect(JSON.parse(data ?? '{}')).toMatchObject({ kind: 'chunk', requestId });
});

it('no key, address or other input is logged from any part of a request', async () => {
  const address = `${MARK}@${MARK}.example`;
  const hostile = `mv_live_${MARK}${'0'.repeat(40)}`;
  const json = JSON.stringify;
  const bodies = [
    '',
    '{',
    `{"${MARK}":`,
    json(address),
    json({ email: address }),
    json({ email: [address], [MARK]: 1 }),
  ];
  const paths = [
    '/v1/verify/single',
    '/v1/verify/batch',
    '/v1/verify/jobs',
    '/v1/guard/events',
    '/v1/credits',
    `/v1/${MARK}`,
  ];
  const further = [
    json({ email: address, async: true }),
    json({ emails: [address, `"${MARK} b"@${MARK}.example`] }),
    json({ property_key: MARK, events: [{ note: MARK, email: address, domain: `${MARK}.example`, action: MARK }] }),
  ];
  const drive = async (): Promise<void> => {
    for (const path of paths) {
      for (const body of [...bodies, ...further]) await ask('POST', path, body);
      for (const method of ['GET', 'PUT', 'DELETE'])
        await ask(method, `${path}/${MARK}?email=${address}&${MARK}=${MARK}`);
    }
    await ask('GET', `/v1/verify/jobs?cursor=${MARK}&limit=${MARK}`);
    await ask('GET', `/%zz${MARK}`);
    await ask('POST', '/v1/verify/single', '{}', { 'x-api-key': hostile });
    const headers = [
      'idempotency-key',
      'referer',
      'user-agent',
      'accept',
      'content-type',
      'authorization',
      'x-forwarded-for',
    ];
    for (const name of headers) {
      await ask('POST', '/v1/verify/single', json({ email: address }), { [name]: `${MARK} ${address}` });
    }
    await ask('POST', '/v1/verify/single', '{}', { 'x-request-id': `a\n{"${MARK}":1}` });
  };
  await drive();
  // Errors of servers are logged too.
  await link.cut();
  await ask('POST', '/v1/verify/single', json({ email: address, async: true }));
  await database.dataSource.query('RENAME TABLE pending_probes TO elsewhere');
  await ask('POST', '/v1/verify/single', json({ email: address, async: true }));
  await ask('POST', '/v1/verify/batch', json({ emails: [address] }));
  await database.dataSource.query('RENAME TABLE elsewhere TO pending_probes');
  await link.restore();
  const lines = logged.map(({ line }) => line);
  expect(lines.length).toBeGreaterThan(80);
  expect(lines.filter((line) => line.includes(MARK) || line.includes(key)).slice(0, 5)).toEqual([]);
  // One line each, and nothing that anybody sent can begin another.
  for (const line of lines) {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(() => JSON.parse(line) as unknown).not.toThrow();
  }
});

const queued = async () => {
  const { Redis } = await import('ioredis');
  return new Redis(redis.url);
};
async function redisKeys(): Promise<string[]> {
  const client = await queued();
  const keys = await client.keys('{mailvet}:job-batch:chunk-*');
  client.disconnect();
  return keys.filter((name) => !name.endsWith(':lock'));
}
async function redisField(name: string, field: string): Promise<string | null> {
  const client = await queued();
  const value = await client.hget(name, field).catch(() => null);
  client.disconnect();
  return value;
}
