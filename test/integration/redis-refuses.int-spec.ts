import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { rm } from 'node:fs/promises';
import { IsNumber } from 'class-validator';
import { Deadline } from '../../src/engine/deadline.js';
import { RedisPoliteness } from '../../src/platform/politeness/redis-politeness.js';
import { OVER, type JobEnding, type WorkQueue } from '../../src/platform/queues/work-queue.js';
import { RedisHealth } from '../../src/platform/redis/redis-health.js';
import { Buckets } from '../../src/rate-limit/buckets.js';
import { RedisBuckets } from '../../src/rate-limit/redis-buckets.js';
import { SingleFlight } from '../../src/verify/single-flight/single-flight.js';
import { connectQueues, serveQueue, TestProducer } from '../support/queue-process.js';
import { startOwnRedis, type OwnServer } from '../support/own-servers.js';
import { readyRedis } from '../support/ready-redis.js';
import { waitUntil } from '../support/wait-until.js';

Logger.overrideLogger(false);

class Payload {
  @IsNumber()
  readonly n!: number;
}
const QUEUE: WorkQueue<Payload> = {
  name: 'smtp-probe',
  payload: Payload,
  jobId: ({ n }) => `number-${n}`,
};
const NOWHERE = ['127.0.0.1', '1'] as const;

let server: OwnServer & { close(): Promise<void> };
let admin: Redis;
const clients: Redis[] = [];

beforeAll(async () => {
  server = await startOwnRedis();
  admin = new Redis(server.url);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});
afterAll(async () => {
  await admin?.quit();
  await server?.close();
});

/** What a Redis may be, so that it answers and does not do what it is asked. */
interface State {
  readonly says: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}
const config = (name: string, value: string) => admin.config('SET', name, value);
const isReplica = async () => {
  await config('replica-serve-stale-data', 'yes');
  await admin.replicaof('NO', 'ONE');
};
const STATES: Readonly<Record<string, State>> = {
  'is full': { says: 'OOM', begin: () => config('maxmemory', '1'), end: () => config('maxmemory', '0') },
  'may only be read': { says: 'READONLY', begin: () => admin.replicaof(...NOWHERE), end: isReplica },
  'is a replica without its primary': {
    says: 'READONLY',
    async begin() {
      await config('replica-serve-stale-data', 'no');
      await admin.replicaof(...NOWHERE);
    },
    end: isReplica,
  },
  'has too few replicas': {
    says: 'NOREPLICAS',
    begin: () => config('min-replicas-to-write', '1'),
    end: () => config('min-replicas-to-write', '0'),
  },
  'gives no leave to write': {
    says: 'NOPERM',
    begin: () => admin.call('ACL', 'SETUSER', 'default', '-@write', '-@scripting', '+config', '+acl'),
    end: () => admin.call('ACL', 'SETUSER', 'default', '+@all'),
  },
  // The last one: its folder is gone for good.
  'cannot save': {
    says: 'MISCONF',
    async begin() {
      const [, folder] = (await admin.config('GET', 'dir')) as [string, string];
      await rm(folder, { recursive: true });
      await config('save', '3600 1');
      await admin.bgsave();
      const failed = async () => /rdb_last_bgsave_status:err/.test(await admin.info('persistence'));
      expect(await waitUntil(failed, { ms: 30_000 })).toBe(true);
    },
    end: () => config('save', ''),
  },
};

async function connected(): Promise<Redis> {
  const redis = await readyRedis(server.url);
  clients.push(redis);
  return redis;
}

describe.each(Object.entries(STATES))('while Redis %s', (_, state) => {
  beforeAll(() => state.begin());
  afterAll(async () => {
    await state.end();
    await admin.flushall();
  });

  it('it counts as reachable but refusing writes', async () => {
    const health = new RedisHealth(await connected());
    await health.check();
    expect(health.condition.refusesWrites).toBe(state.says);
    expect(health.warnings.join()).toContain('takes no writes');
  });

  it('each process counts requests by itself, without a time limit', async () => {
    const buckets = new Buckets(new RedisBuckets(await connected()));
    const allowed = [];
    for (let i = 0; i < 4; i++) allowed.push((await buckets.take('key', 'one', 3)).allowed);
    expect(allowed).toEqual([true, true, true, false]);
    expect(buckets.outageMs).not.toBeNull();
    expect(buckets.awayMs).toBeNull();
  });

  it('an address is checked once per process, and mail-host limits apply per process', async () => {
    const redis = await connected();
    const deadline = Deadline.after(60_000);
    const flights = new SingleFlight(redis, () => redis.duplicate());
    const lead = await flights.join('a'.repeat(64), 'standard', deadline);
    expect(lead.kind).toBe('leader');
    const follower = flights.join('a'.repeat(64), 'standard', deadline);
    if (lead.kind === 'leader') await lead.complete(true);
    expect((await follower).kind).toBe('completed');
    flights.close();
    const politeness = new RedisPoliteness(redis, { limits: { maxConnections: 1, recipientsPerMinute: 60_000 } });
    const asked = {
      group: 'domain:a.example',
      provider: null,
      domain: 'a.example',
      egressId: 'direct/x',
      recipients: 1,
    };
    expect((await politeness.acquire({ ...asked, deadline })).kind).toBe('granted');
    expect((await politeness.acquire({ ...asked, deadline, patienceMs: 1 })).kind).toBe('full');
    deadline.release();
  });

  it('jobs run in the process that serves their queue, and Redis is not polled in a loop', async () => {
    const connection = connectQueues(server.url);
    expect(await connection.ready(30_000)).toBe(true);
    const before = await commands();
    const began = performance.now();
    const runs: number[] = [];
    const { host, close } = await serveQueue({
      queue: QUEUE,
      connection,
      concurrency: 2,
      services: { graceMs: 10_000 },
      handle: async ({ n }): Promise<JobEnding> => {
        runs.push(n);
        return runs.filter((one) => one === n).length === 1 && n < 3 ? { kind: 'again', afterMs: 100 } : OVER;
      },
    });
    const jobs = new TestProducer(connection, QUEUE);
    jobs.add(Array.from({ length: 20 }, (__, n) => ({ payload: { n }, priority: 2 })));
    expect(await waitUntil(async () => runs.length === 23, { ms: 60_000 })).toBe(true);
    expect(await waitUntil(async () => host.isRefused, { ms: 60_000 })).toBe(true);
    const seconds = (performance.now() - began) / 1000;
    expect(((await commands()) - before) / Math.max(1, seconds)).toBeLessThan(1000);
    await Promise.all([close(), jobs.beforeApplicationShutdown()]);
    connection.onApplicationShutdown();
  });
});

async function commands(): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await admin.info('stats'))?.[1]);
}

describe('a Redis that may delete keys', () => {
  afterEach(() => config('maxmemory-policy', 'noeviction'));

  it.each(['allkeys-lru', 'volatile-ttl', 'allkeys-random'])('causes a warning: %s', async (policy) => {
    const health = new RedisHealth(await connected());
    await health.check();
    expect([health.condition, health.warnings]).toEqual([{ refusesWrites: null, evictionPolicy: 'noeviction' }, []]);
    await config('maxmemory-policy', policy);
    await health.check();
    expect(health.condition.evictionPolicy).toBe(policy);
    expect(health.warnings.join()).toContain(policy);
  });

  it('is not reported if the server hides its policy', async () => {
    await admin.call('ACL', 'SETUSER', 'kept-out', 'on', '>secret', 'allkeys', '+@all', '-info', '-config');
    const url = new URL(server.url);
    url.username = 'kept-out';
    url.password = 'secret';
    const redis = await readyRedis(url.href);
    clients.push(redis);
    const health = new RedisHealth(redis);
    await health.check();
    expect([health.condition, health.warnings]).toEqual([{ refusesWrites: null, evictionPolicy: 'unknown' }, []]);
  });
});
