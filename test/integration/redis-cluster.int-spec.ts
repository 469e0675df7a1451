import { Queue, Worker } from 'bullmq';
import { Cluster, Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { throttleKeys } from '../../src/platform/politeness/throttle-store.js';
import { EgressReports } from '../../src/platform/egress/egress-reports.js';
import { Pauses } from '../../src/platform/politeness/pauses.js';
import { RedisThrottleStore } from '../../src/platform/politeness/redis-throttle-store.js';
import { QUEUE_PREFIX } from '../../src/platform/queues/queue-without-error-log.js';
import { RedisBuckets } from '../../src/rate-limit/redis-buckets.js';
import { RedisLeases } from '../../src/verify/single-flight/redis-leases.js';
import { freePort } from '../support/free-port.js';
import { waitUntil } from '../support/wait-until.js';

/** How long Redis may take is not what is tried here, and it takes long on a busy machine. */
jest.mock('../../src/platform/scheduling/within-deadline.js', () => ({
  ...jest.requireActual<object>('../../src/platform/scheduling/within-deadline.js'),
  withinDeadline: (work: Promise<unknown>) => work,
}));

/** Debian's redis-tools has the server under the name of its file checker: one program that goes by the name it is called with. */
const PROGRAM = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['redis-server', 'redis-check-rdb', 'valkey-server'].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

let server: ChildProcess;
let folder: string;
let cluster: Cluster;
let redis: Redis;

beforeAll(async () => {
  if (PROGRAM === undefined) throw new Error('no redis-server on the PATH');
  folder = mkdtempSync(join(tmpdir(), 'mailvet-cluster-'));
  const [port, busPort] = await Promise.all([freePort(), freePort()]);
  const settings = {
    port,
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-announce-ip': '127.0.0.1',
    bind: '127.0.0.1',
    dir: folder,
    save: '',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  server = spawn(PROGRAM, args, { argv0: 'redis-server', stdio: 'ignore' });
  const node = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  node.on('error', () => undefined);
  await node.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16383);
  const isUp = async (): Promise<boolean> => String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok');
  if (!(await waitUntil(isUp, { ms: 60_000 }))) throw new Error('the cluster did not come up');
  node.disconnect();
  cluster = new Cluster([{ host: '127.0.0.1', port }], { redisOptions: { maxRetriesPerRequest: null } });
  if (!(await waitUntil(async () => cluster.status === 'ready', { ms: 60_000 })))
    throw new Error('no client of the cluster');
  // What the product calls a client is what both have in common.
  redis = cluster as unknown as Redis;
});
afterAll(async () => {
  cluster?.disconnect();
  if (server?.exitCode === null) {
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe('a Redis cluster', () => {
  it('refuses commands across slots, so that these tests can fail', async () => {
    await expect(cluster.mset('a', 1, 'b', 2)).rejects.toThrow(/slot/i);
  });

  it('supports rate-limit buckets of many concurrent keys', async () => {
    const buckets = new RedisBuckets(redis);
    const asked = await Promise.all(Array.from({ length: 50 }, (_, i) => buckets.take(`key:${i % 25}`, 60)));
    expect(asked.filter(({ allowed }) => allowed)).toHaveLength(50);
  });

  it('supports the throttle store', async () => {
    const keys = throttleKeys('domain:example.com', 'direct/mx.example.net', 'example.com');
    const limits = { maxConnections: 1, recipientsPerMinute: 60_000 };
    const request = { keys, recipients: 1, limits, leaseMs: 10_000 };
    const store = new RedisThrottleStore(redis);
    const first = await store.acquire(request);
    expect(first.kind).toBe('granted');
    expect(await store.acquire(request)).toMatchObject({ kind: 'wait', for: 'connections' });
    if (first.kind === 'granted') await first.release({ kind: 'session_refused', retryAfterSeconds: 60 });
    expect((await store.acquire(request)).kind).toBe('backed_off');
    expect(await new Pauses(redis).read()).toMatchObject([{ group: 'domain:example.com', domain: 'example.com' }]);
  });

  it('supports reports on egresses', async () => {
    const reports = new EgressReports(redis);
    await reports.write('worker', []);
    expect(await reports.read()).toMatchObject([{ role: 'worker', egresses: [] }]);
    await reports.end();
    expect(await reports.read()).toEqual([]);
  });

  it('supports single-flight leases', async () => {
    const leases = new RedisLeases(redis, { leaseMs: 5000, completionsMs: 5000, channel: 'mailvet:flights:0' });
    const hash = 'f'.repeat(64);
    expect(await leases.acquire({ hash, token: 'one', last: null })).toMatchObject({ taken: true });
    expect(await leases.acquire({ hash, token: 'two', last: null })).toMatchObject({ taken: false });
    await leases.renew(hash, 'one', 'rcpt');
    expect(await leases.stageOf(hash)).toBe('rcpt');
    await leases.complete({ hash, token: 'one', depth: 'standard', stored: true });
    expect(await leases.acquire({ hash, token: 'two', last: null })).toMatchObject({ taken: true });
  });

  it('supports queues with priorities and delays', async () => {
    const queue = new Queue('smtp-probe', { connection: redis, prefix: QUEUE_PREFIX });
    const done: string[] = [];
    await queue.addBulk(
      ['a-1', 'a-2', 'a-3'].map((jobId, i) => ({
        name: 'smtp-probe',
        data: {},
        opts: { jobId, priority: i + 1, delay: i * 50 },
      })),
    );
    const worker = new Worker('smtp-probe', async (job) => void done.push(String(job.id)), {
      connection: redis,
      prefix: QUEUE_PREFIX,
    });
    worker.on('error', () => undefined);
    expect(await waitUntil(async () => done.length === 3, { ms: 60_000 })).toBe(true);
    await worker.close();
    await queue.close();
  });
});
