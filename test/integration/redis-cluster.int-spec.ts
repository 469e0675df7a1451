import { IsNumber } from 'class-validator';
import type { Redis } from 'ioredis';
import { GreylistingDomains } from '../../src/jobs/planning/greylisting-domains.js';
import { throttleKeys } from '../../src/platform/politeness/throttle-store.js';
import { EgressReports } from '../../src/platform/egress/egress-reports.js';
import { Pauses } from '../../src/platform/politeness/pauses.js';
import { RedisThrottleStore } from '../../src/platform/politeness/redis-throttle-store.js';
import { OVER, type WorkQueue } from '../../src/platform/queues/work-queue.js';
import { createRedis } from '../../src/platform/redis/redis-client.js';
import { refuseWrongRedis } from '../../src/platform/redis/refuse-wrong-redis.js';
import { RedisBuckets } from '../../src/rate-limit/redis-buckets.js';
import { Leases } from '../../src/verify/single-flight/leases.js';
import { holderOf, moveSlot, startCluster, type RedisGroup, type RedisNode } from '../support/redis-nodes.js';
import { connectQueues, serveQueue, TestProducer } from '../support/queue-process.js';
import { waitUntil } from '../support/wait-until.js';

/** How long Redis may take is not what is tried here, and it takes long on a busy machine. */
jest.mock('../../src/platform/scheduling/within-deadline.js', () => ({
  ...jest.requireActual<object>('../../src/platform/scheduling/within-deadline.js'),
  withinDeadline: (work: Promise<unknown>) => work,
}));

class Payload {
  @IsNumber()
  readonly n!: number;
}
const QUEUE: WorkQueue<Payload> = { name: 'smtp-probe', payload: Payload, jobId: ({ n }) => `number-${n}` };

let servers: RedisGroup;
let redis: Redis;

beforeAll(async () => {
  servers = await startCluster({ primaries: 2, withReplicas: false });
  redis = createRedis(servers.url);
  const isReady = async (): Promise<boolean> => redis.status === 'ready' && (await redis.ping()) === 'PONG';
  if (!(await waitUntil(isReady, { ms: 60_000 }))) throw new Error('no client of the cluster');
});
afterAll(async () => {
  redis?.disconnect();
  await servers?.close();
});

describe('a Redis cluster', () => {
  it('refuses commands across slots, so that these tests can fail', async () => {
    await expect(redis.mset('a', 1, 'b', 2)).rejects.toThrow(/slot/i);
  });

  it('is noticed behind the URL of one server', async () => {
    const one = new URL(servers.url.replace('+cluster', '').replace(/,.*/, ''));
    const unaware = createRedis(one.href);
    await expect(refuseWrongRedis(unaware)).rejects.toThrow(/^REDIS_URL: .*redis\+cluster:/);
    unaware.disconnect();
    await expect(refuseWrongRedis(redis)).resolves.toBeUndefined();
  });

  it('supports rate-limit buckets of many concurrent keys', async () => {
    const buckets = new RedisBuckets(redis);
    const asked = await Promise.all(Array.from({ length: 50 }, (_, i) => buckets.take(`key:${i % 25}`, 60)));
    expect(asked.filter(({ allowed }) => allowed)).toHaveLength(50);
  });

  it('may move a slot while its keys are in use', async () => {
    const buckets = new RedisBuckets(redis);
    await buckets.take('key:moved', 60);
    await buckets.take('key:moved', 60);
    const key = 'mailvet:rate:{key:moved}';
    const [one, other] = servers.nodes as [RedisNode, RedisNode];
    const from = await holderOf(key, one, servers);
    const slot = Number(await one.admin.call('CLUSTER', 'KEYSLOT', key));
    const moved = moveSlot(slot, from, from === one ? other : one).then(() => 'moved');
    const take = (): Promise<unknown> => buckets.take('key:moved', 60);
    while ((await Promise.race([moved, take()])) !== 'moved');
    expect(await holderOf(key, one, servers)).not.toBe(from);
    expect((await buckets.take('key:moved', 60)).remaining).toBeLessThan(58);
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

  it('supports the list of greylisting domains', async () => {
    const greylisting = new GreylistingDomains(redis);
    greylisting.note(['grey.example', 'gray.example']);
    const known = async (): Promise<string[]> => [...(await greylisting.among(['other.example', 'grey.example']))];
    expect(await waitUntil(async () => (await known()).length > 0, { ms: 60_000 })).toBe(true);
    expect(await known()).toEqual(['grey.example']);
  });

  it('supports reports on egresses', async () => {
    const reports = new EgressReports(redis);
    await reports.write('worker', []);
    expect(await reports.read()).toMatchObject([{ role: 'worker', egresses: [] }]);
    await reports.end();
    expect(await reports.read()).toEqual([]);
  });

  it('supports single-flight leases', async () => {
    const leases = new Leases(redis, { leaseMs: 5000, channel: 'mailvet:flights:0' });
    const hash = 'f'.repeat(64);
    expect(await leases.acquire({ hash, token: 'one', last: null })).toMatchObject({ taken: true });
    expect(await leases.acquire({ hash, token: 'two', last: null })).toMatchObject({ taken: false });
    await leases.renew(hash, 'one', 'rcpt');
    expect(await leases.stageOf(hash)).toBe('rcpt');
    await leases.complete({ hash, token: 'one', depth: 'standard', stored: true });
    expect(await leases.acquire({ hash, token: 'two', last: null })).toMatchObject({ taken: true });
  });

  it('supports queues and their parts, each with a hash tag of its own', async () => {
    const connection = connectQueues(servers.url, 3);
    const done: number[] = [];
    const { close } = await serveQueue({
      queue: QUEUE,
      connection,
      concurrency: 6,
      handle: async ({ n }) => {
        done.push(n);
        return OVER;
      },
    });
    const producer = new TestProducer(connection, QUEUE);
    const all = Array.from({ length: 40 }, (_, n) => n);
    producer.add(
      all.map((n) => ({
        payload: { n },
        priority: n % 2 === 0 ? 1 : { flow: `flow-${n % 3}` },
        delayMs: (n % 4) * 20,
      })),
    );
    expect(await waitUntil(async () => done.length === all.length, { ms: 60_000 })).toBe(true);
    expect(done.toSorted((a, b) => a - b)).toEqual(all);
    for (const part of ['smtp-probe', 'smtp-probe-2', 'smtp-probe-3']) {
      expect(await redis.exists(`{mailvet:${part}}:${part}:meta`)).toBe(1);
    }
    await producer.beforeApplicationShutdown();
    await close();
    connection.onApplicationShutdown();
  });
});
