import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { connectRedis } from '../../src/platform/redis/connect-redis.js';
import { whyRedisFails, type WhyRedisFails } from '../../src/platform/redis/why-redis-fails.js';
import { callScriptFunction } from '../scripts/script-function.js';
import { TestAuthority } from '../support/certificates.js';
import { copyMigratedDatabase } from '../support/copied-database.js';
import type { TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { startOperator, type Operator } from '../support/operator.js';
import { trust } from '../support/trust.js';
import { waitUntil } from '../support/wait-until.js';

/** With a character that URLs encode. */
const [USER, PASSWORD] = ['mailvet', 'of/the@servers'];
const [SENTINEL_USER, SENTINEL_PASSWORD] = ['watcher', 'of/the&sentinels'];
const LOGIN = `${USER}:${encodeURIComponent(PASSWORD)}`;

const authority = new TestAuthority();
let folder: string;
let database: TestDatabase;
let urls: Readonly<Record<'server' | 'sentinel' | 'cluster', string>>;
const running: { child: ChildProcess; exit: Promise<unknown> }[] = [];
const operators: Operator[] = [];

/** A server that takes only TLS, and nobody but one user. @returns its port */
async function start(name: string, { user, password }: { user: string; password: string }, lines: readonly string[]) {
  const port = await freePort();
  const home = join(folder, name);
  await mkdir(home);
  const { cert, key } = authority.issue({ names: ['127.0.0.1'] });
  await Promise.all([writeFile(join(home, 'cert.pem'), cert), writeFile(join(home, 'key.pem'), key)]);
  const settings = [
    'port 0',
    `tls-port ${port}`,
    'bind 127.0.0.1',
    'tls-cert-file cert.pem',
    'tls-key-file key.pem',
    `tls-ca-cert-file ${join(folder, 'ca.pem')}`,
    'tls-auth-clients no',
    'tls-replication yes',
    'user default off',
    `user ${user} on >${password} ~* &* +@all`,
    ...lines,
  ];
  await writeFile(join(home, 'redis.conf'), [...settings, ''].join('\n'));
  const isSentinel = name === 'sentinel';
  const command = (await callScriptFunction('redis.mjs', 'findRedis')) as string;
  const child = spawn(command, ['redis.conf', ...(isSentinel ? ['--sentinel'] : [])], {
    argv0: isSentinel ? 'redis-sentinel' : 'redis-server',
    cwd: home,
    stdio: 'ignore',
  });
  running.push({ child, exit: once(child, 'exit') });
  const admin = new Redis({
    port,
    host: '127.0.0.1',
    username: user,
    password,
    tls: { ca: authority.certificate },
    maxRetriesPerRequest: null,
    retryStrategy: () => 100,
  });
  admin.on('error', () => undefined);
  const answered = admin.ping().catch(() => 'not');
  if ((await waitUntil(() => answered, { ms: 60_000, gone: running.at(-1)!.exit })) !== 'PONG') {
    throw new Error(`${name} did not start`);
  }
  if (name === 'cluster') await admin.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
  admin.disconnect();
  return port;
}

beforeAll(async () => {
  folder = await mkdtemp(join(process.env['MAILVET_RUN_FOLDER'] ?? tmpdir(), 'redis-tls-'));
  await writeFile(join(folder, 'ca.pem'), authority.certificate);
  const ofServers = { user: USER, password: PASSWORD };
  const [server, cluster] = await Promise.all([
    start('server', ofServers, ['save ""']),
    start('cluster', ofServers, ['save ""', 'cluster-enabled yes', 'tls-cluster yes', 'cluster-announce-ip 127.0.0.1']),
  ]);
  const sentinel = await start('sentinel', { user: SENTINEL_USER, password: SENTINEL_PASSWORD }, [
    `sentinel monitor primary 127.0.0.1 ${server} 1`,
    `sentinel auth-user primary ${USER}`,
    `sentinel auth-pass primary ${PASSWORD}`,
  ]);
  const ofSentinels = new URLSearchParams({ sentinel_user: SENTINEL_USER, sentinel_password: SENTINEL_PASSWORD });
  urls = {
    server: `rediss://${LOGIN}@127.0.0.1:${server}/1`,
    sentinel: `rediss+sentinel://${LOGIN}@127.0.0.1:${sentinel}/primary/1?${ofSentinels.toString()}`,
    cluster: `rediss+cluster://${LOGIN}@127.0.0.1:${cluster}`,
  };
  database = await copyMigratedDatabase();
});
afterAll(async () => {
  for (const one of operators) await one.stop();
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ exit }) => exit));
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

function operator(env: NodeJS.ProcessEnv): Operator {
  const made = startOperator({ DATABASE_URL: database.url, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), ...env });
  operators.push(made);
  return made;
}

/** Why a client does not get in; `null`: ioredis does not tell. */
async function faultOf(url: string): Promise<WhyRedisFails | null> {
  const redis = connectRedis(url, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  const inside = once(redis, 'ready').then((): never => {
    throw new Error('the client got in');
  });
  const [error] = (await Promise.race([once(redis, 'error'), inside])) as [Error];
  inside.catch(() => undefined);
  redis.disconnect();
  return whyRedisFails(error);
}

describe.each(['server', 'sentinel', 'cluster'] as const)('Redis over TLS behind a login: %s', (kind) => {
  it('serves a process that is told the authority by NODE_EXTRA_CA_CERTS', async () => {
    const process = operator({ REDIS_URL: urls[kind] });
    // On a busy machine Redis may need longer than a person is made to wait.
    const status = async (): Promise<string | false> => {
      const { code, stdout } = await process.run('queue', 'status', '--json');
      return code === 0 && stdout;
    };
    expect(await waitUntil(status, { ms: 60_000 })).toContain('smtp-probe');
  });

  it('is not used by a process that does not know the authority', async () => {
    expect(await faultOf(urls[kind])).toEqual(kind === 'server' ? { refusal: null, isDistrusted: true } : null);
  });

  it('says that it refuses the password', async () => {
    const distrust = trust(authority.certificate);
    expect(await faultOf(urls[kind].replace(encodeURIComponent(PASSWORD), 'another'))).toEqual({
      refusal: 'WRONGPASS',
    });
    distrust();
  });
});

it('sentinels say that they refuse their password', async () => {
  const distrust = trust(authority.certificate);
  expect(await faultOf(urls.sentinel.replace('sentinels', 'others'))).toEqual({ refusal: 'WRONGPASS' });
  distrust();
});
