import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { AccountService } from '../../src/auth/account.service.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Liveness } from '../../src/platform/health/liveness.js';
import { ProcessState } from '../../src/platform/process/process-state.js';
import { MetricsListener } from '../../src/platform/metrics-endpoint/metrics-listener.js';
import { createApi } from '../../src/roles/api.js';
import { freePort } from '../support/free-port.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

const TOKEN = 'metrics-token-0123456789';
let database: MigratedDatabase;
let redis: TestRedis;
let api: NestFastifyApplication;
let metricsPort: number;
const logged: string[] = [];
const keys = { live: '', test: '' };

async function start(port: number): Promise<NestFastifyApplication> {
  const settings = loadConfig('api', {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    HOST: '127.0.0.1',
    METRICS_PORT: String(port),
    METRICS_TOKEN: TOKEN,
    SMTP_HELO_NAME: 'prober.test',
    SMTP_CHECK_DOMAINS: 'none',
    DNS_SERVERS: '127.0.0.1:1',
  });
  const app = await createApi(settings, createLog('info', { write: (line) => void logged.push(line) }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

beforeAll(async () => {
  database = await createMigratedDatabase();
  redis = await claimTestRedis();
  const created = await new AccountService(new AccountRepository(database.dataSource)).create('Acme', 'scale', 'test');
  if (created.kind !== 'created') throw new Error(created.kind);
  const management = new KeyManagementService(new ApiKeyRepository(database.dataSource), { keys: { prefix: 'mv' } });
  for (const mode of ['live', 'test'] as const) {
    keys[mode] = (await management.create(created.account.id, mode, null, 'test'))!.key;
  }
  metricsPort = await freePort();
  api = await start(metricsPort);
  api.get(MetricsListener).start();
  await waitUntil(async () => api.get(MetricsListener).port !== null, { ms: 60_000 });
});
afterAll(async () => {
  await api.close();
  await redis.release();
  await database.drop();
});

const ask = (
  path: string,
  init: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(`http://127.0.0.1:${metricsPort}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, ...init.headers },
  });
const lines = async (): Promise<string[]> =>
  (await (await ask('/metrics')).text()).split('\n').filter((line) => line.startsWith('mailvet_'));

async function verify(key: string, body: string, path = '/v1/verify/single', headers: Record<string, string> = {}) {
  const { statusCode } = await api.inject({
    method: 'POST',
    url: path,
    payload: body,
    headers: { host: 'api.test', 'x-api-key': key, 'content-type': 'application/json', ...headers },
  });
  return statusCode;
}

describe('the listener', () => {
  it('serves metrics with the token, and nothing else', async () => {
    const shown = await ask('/metrics');
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(await shown.text()).toContain('mailvet_build_info{role="api"');
    const refused = async (...[path, init]: Parameters<typeof ask>) => {
      const response = await ask(path, init);
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    };
    for (const authorization of ['', 'Bearer', 'Bearer another', TOKEN, `Bearer ${TOKEN}x`]) {
      expect(await refused('/metrics', { headers: { authorization } })).toEqual([401, 'unauthorized']);
    }
    expect(await refused('/metrics', { method: 'POST' })).toEqual([405, 'method_not_allowed']);
    expect(await refused('/health')).toEqual([404, 'not_found']);
    expect(await refused('/v1/verify/single', { method: 'POST' })).toEqual([404, 'not_found']);
  });

  it('reports startup, readiness and liveness to anybody', async () => {
    const headers = { authorization: '' };
    const started = await ask('/health/startup', { headers });
    expect([started.status, await started.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await ask('/health/ready', { headers });
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ok', details: expect.objectContaining({ database: expect.anything() }), warnings: [] },
    ]);
    const live = await ask('/health/live', { headers });
    expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
    let stuck: string | null = 'a queue stands still';
    api.get(Liveness, { strict: false }).watch(() => stuck);
    const dead = await ask('/health/live', { headers });
    stuck = null;
    expect([dead.status, dead.headers.get('retry-after'), await dead.json()]).toEqual([
      503,
      '1',
      { error: { code: 'service_unavailable', message: 'Not live: a queue stands still.' } },
    ]);
    const posted = await ask('/health/live', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('reports a stopping process as live and not ready', async () => {
    const leaving = await start(await freePort());
    const listener = leaving.get(MetricsListener);
    listener.start();
    await waitUntil(async () => listener.port !== null, { ms: 60_000 });
    leaving.get(ProcessState, { strict: false }).beginStop();
    const answer = (path: string) => fetch(`http://127.0.0.1:${listener.port}/health/${path}`);
    expect((await answer('live')).status).toBe(200);
    const unready = await answer('ready');
    expect([unready.status, unready.headers.get('retry-after'), await unready.json()]).toEqual([
      503,
      '1',
      { error: { code: 'service_unavailable', message: 'Not ready: the process is stopping.' } },
    ]);
    await leaving.close();
  });

  it('listens on no other port', async () => {
    const { statusCode } = await api.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
    expect(statusCode).toBe(404);
  });

  it('does not stop the API if its port is taken, logs that, and listens once it is free', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const other = await start(port);
    const listener = other.get(MetricsListener);
    listener.start(20);
    const ready = async () => (await other.inject({ url: '/health/ready' })).json<{ warnings: string[] }>();
    const warned = await waitUntil(async () => (await ready()).warnings.some((line) => /metrics/.test(line)), {
      ms: 60_000,
    });
    expect(warned).toBe(true);
    expect(listener.port).toBeNull();
    holder.close();
    expect(await waitUntil(async () => listener.port === port, { ms: 60_000 })).toBe(true);
    expect((await ready()).warnings).toEqual([]);
    await other.close();
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });
});

it('counts requests, verdicts, credits and refusals', async () => {
  expect(await verify(keys.live, '{"email":"no address"}')).toBe(200);
  expect(await verify(keys.test, '{"email":"deliverable@test.example"}')).toBe(200);
  expect(await verify(keys.live, '{"emails":["no address",1]}', '/v1/verify/batch')).toBe(200);
  expect(await verify(`${keys.live.slice(0, -1)}!`, '{}')).toBe(401);
  const shown = await lines();
  expect(shown).toEqual(
    expect.arrayContaining([
      'mailvet_http_requests_total{route="/v1/verify/single",method="POST",status="200"} 2',
      'mailvet_http_request_seconds_count{route="/v1/verify/batch",method="POST"} 1',
      'mailvet_verdicts_total{kind="live",result="invalid",reason="bad_syntax"} 1',
      'mailvet_verdicts_total{kind="live",result="none",reason="invalid_email"} 2',
      expect.stringMatching(/^mailvet_refused_requests_total\{why="malformed_key"\} [1-9]/),
      'mailvet_answers_total{freshness="fresh"} 1',
    ]),
  );
  expect(shown.some((line) => line.startsWith('mailvet_verdicts_total{kind="sandbox"'))).toBe(true);
  expect(await waitUntil(async () => (await lines()).includes('mailvet_ready 1'), { ms: 60_000 })).toBe(true);
  expect(shown.some((line) => line.startsWith('mailvet_database_connections{state="idle"}'))).toBe(true);
});

it('has no new series and no label from input, whatever is sent', async () => {
  const barrage = async (from: number, times: number): Promise<void> => {
    for (let i = from; i < from + times; i++) {
      const mark = `marked${i}`;
      await Promise.all([
        verify(keys.live, `{"email":"${mark}@"}`),
        verify(keys.live, `{"email":"ada@${mark}.example","mode":"quick"}`),
        verify(keys.test, `{"email":"${mark}@test.example"}`),
        verify(`mv_live_${mark}`, '{}'),
        verify(keys.live, '{}', `/v1/${mark}/../${mark}`),
        verify(keys.live, '{}', `/v1/verify/${mark}?${mark}=${mark}`),
        verify(keys.live, `{"${mark}`, '/v1/verify/batch', { referer: mark, 'user-agent': mark }),
        ...['GET', 'DELETE', 'PURGE', 'PROPFIND'].map((method) =>
          api.inject({ method: method as 'GET', url: `/v1/verify/jobs/${mark}`, headers: { 'x-api-key': keys.live } }),
        ),
        api.inject({ url: `/%zz${mark}`, headers: { host: mark } }),
      ]);
    }
  };
  await barrage(0, 3);
  const before = await lines();
  await barrage(3, 12);
  const after = await lines();
  // Less than one for each round of marks.
  expect(after.length - before.length).toBeLessThan(12);
  expect(after.length).toBeLessThan(500);
  expect(after.join('\n')).not.toMatch(/marked|mv_live|\.example/);
});

it('logs neither keys nor input meanwhile', () => {
  expect(logged.filter((line) => /marked|mv_live|mv_test/.test(line))).toEqual([]);
});
