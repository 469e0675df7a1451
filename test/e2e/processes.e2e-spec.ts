import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { copyMigratedDatabase } from '../support/copied-database.js';
import type { TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { startOperator } from '../support/operator.js';
import { answersOk, runProcess, startProcess, type StartedProcess } from '../support/processes.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

let database: TestDatabase;
let redis: TestRedis;
let key: string;
const started: StartedProcess[] = [];
const servers = () => ({
  DATABASE_URL: database.url,
  REDIS_URL: redis.url,
  HOST: '127.0.0.1',
  SMTP_CHECK_DOMAINS: 'none',
});

beforeAll(async () => {
  database = await copyMigratedDatabase();
  redis = await claimTestRedis();
  const operator = startOperator(servers());
  const cli = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await operator.run(...args, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  };
  const account = await cli<{ id: string }>('account', 'create', '--name', 'Test', '--plan', 'free');
  ({ key } = await cli<{ key: string }>('key', 'create', account.id, '--mode', 'live'));
  await operator.stop();
});
afterEach(() => {
  for (const process of started.splice(0)) process.kill('SIGKILL');
});
afterAll(async () => {
  await redis.release();
  await database.drop();
});

/** Starts a process and waits until it is ready. */
async function start(name: 'main' | 'worker', env: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const process = await startProcess([`dist/${name}`], {
    env: { ...servers(), PORT: String(port), WORKER_PORT: String(port), ...env },
    isReady: answersOk(`${base}/health/ready`),
  });
  started.push(process);
  return { base, port, process };
}

const statusOf = async (url: string) => (await fetch(url)).status;

describe('a wrong environment', () => {
  it('ends the process with one line per fault on stderr, and nothing else', async () => {
    const { code, stdout, stderr } = await runProcess(['dist/main'], { PORT: 'abc', DATABASE_URL: '' });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => line.split(':')[0])).toEqual(['DATABASE_URL', 'PORT']);
    expect(stderr).not.toMatch(/abc|^\s+at /m);
  });

  it('of another role is ignored', async () => {
    const { process } = await start('worker', { CONSOLE_PORT: 'abc' });
    expect(await process.stop()).toBe(0);
  });
});

it('a port in use ends the process with a line that names the variable, and one in the log', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  const { code, stdout, stderr } = await runProcess(['dist/main'], { ...servers(), PORT: String(port) });
  holder.close();
  expect(code).toBe(1);
  expect(stderr).toBe('PORT: must be free: another process listens there\n');
  const last: unknown = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({ level: 'fatal', err: { code: 'EADDRINUSE' } });
});

it('an address that is not of this machine ends the process with a line that names the variable', async () => {
  const { code, stderr } = await runProcess(['dist/worker'], { ...servers(), HOST: '203.0.113.7', WORKER_PORT: '0' });
  expect([code, stderr]).toEqual([1, 'HOST: must be an address of this machine\n']);
});

describe('SIGTERM', () => {
  it('fails readiness at once, keeps serving for the delay, finishes running requests, and exits with 0', async () => {
    const { base, port, process } = await start('main', { SHUTDOWN_DELAY_MS: '4000' });
    const halfway = await beginVerify(port);
    process.kill('SIGTERM');
    expect(await waitUntil(async () => (await statusOf(`${base}/health/ready`)) === 503, { ms: 60_000 })).toBe(true);
    expect(await statusOf(`${base}/health/live`)).toBe(200);
    expect(await waitUntil(async () => !(await answersOk(`${base}/health/live`)()), { ms: 60_000 })).toBe(true);
    expect(await halfway.finish()).toMatchObject({ status: 200, body: { reason: 'bad_syntax' } });
    expect(await process.exitCode).toBe(0);
    expect(process.output()).toContain('"msg":"stopped"');
  });

  it('does not wait longer than the grace period', async () => {
    const { port, process } = await start('main', { SHUTDOWN_DELAY_MS: '0', SHUTDOWN_GRACE_MS: '500' });
    const halfway = await beginVerify(port);
    expect(await process.stop(20_000)).toBe(0);
    halfway.abandon();
    expect(process.output()).toContain('"msg":"stopped with work in flight"');
  });

  it('ends an idle worker', async () => {
    const { process } = await start('worker');
    expect(await process.stop(20_000)).toBe(0);
  });
});

describe('SIGHUP', () => {
  it.each(['main', 'worker'] as const)('ends %s as SIGTERM does, also if it comes twice', async (role) => {
    const { process } = await start(role, { SHUTDOWN_DELAY_MS: '500' });
    process.kill('SIGHUP');
    expect(await waitUntil(async () => process.output().includes('"msg":"stopping"'), { ms: 60_000 })).toBe(true);
    process.kill('SIGHUP');
    expect(await process.exitCode).toBe(0);
    expect(process.output()).toContain('"msg":"stopped"');
  });
});

describe('SIGINT', () => {
  it('ends without the delay', async () => {
    const { process } = await start('main', { SHUTDOWN_DELAY_MS: '600000' });
    process.kill('SIGINT');
    expect(await process.exitCode).toBe(0);
  });

  it('exits at once the second time', async () => {
    const { process } = await start('main', { SHUTDOWN_DELAY_MS: '600000' });
    process.kill('SIGTERM');
    await waitUntil(async () => process.output().includes('"msg":"stopping"'), { ms: 60_000 });
    process.kill('SIGINT');
    expect(await process.exitCode).toBe(130);
  });
});

it('without a database the API is live and answers 503 with the usual error body', async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const process = await startProcess(['dist/main'], {
    env: {
      ...servers(),
      DATABASE_URL: 'mysql://app:secret@127.0.0.1:1/mailvet',
      PORT: String(port),
      SHUTDOWN_DELAY_MS: '0',
    },
    isReady: answersOk(`${base}/health/live`),
  });
  started.push(process);
  const response = await fetch(`${base}/v1/verify/single`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"email":"ada@example.com"}',
  });
  expect([response.status, await response.json()]).toEqual([
    503,
    { error: { code: 'service_unavailable', message: expect.any(String) } },
  ]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await statusOf(`${base}/v1/nothing`)).toBe(404);
  expect(process.output()).not.toMatch(/secret|ada@/);
  expect(await process.stop(20_000)).toBe(0);
});

/** Sends a verification up to the middle of its body: it is in flight, and not over before it is told to be. */
async function beginVerify(port: number) {
  const body = '{"email":"not an address"}';
  const half: ClientRequest = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/v1/verify/single',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
      // The server's go-ahead tells that it holds the request.
      expect: '100-continue',
    },
  });
  const answered = once(half, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  half.flushHeaders();
  await once(half, 'continue');
  half.write(body.slice(0, 5));
  return {
    abandon: () => half.destroy(),
    finish: async () => {
      half.end(body.slice(5));
      const [response] = await answered;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown };
    },
  };
}
