import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { IsNumber } from 'class-validator';
import { serviceUnavailable } from '../../src/platform/errors/service-unavailable.js';
import type { FailedJob } from '../../src/platform/queues/failed-jobs.repository.js';
import type { AppConfig } from '../../src/platform/config/app-config.js';
import { Liveness } from '../../src/platform/health/liveness.js';
import type { Metrics } from '../../src/platform/metrics/metrics.js';
import type { AllQueues } from '../../src/platform/queues/all-queues.js';
import type { QueueConnection } from '../../src/platform/queues/queue-connection.js';
import { QueueDepths, readDepths } from '../../src/platform/queues/queue-depths.js';
import type { JobOutcome } from '../../src/platform/queues/queue-metrics.js';
import { QueueWatch } from '../../src/platform/queues/queue-watch.js';
import { openQueues } from '../../src/platform/queues/queue-without-error-log.js';
import { OVER, type JobEnding, type WorkQueue } from '../../src/platform/queues/work-queue.js';
import { connectQueues, serveQueue, TestProducer, type Serving } from '../support/queue-process.js';
import { breakableLink } from '../support/breakable-link.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
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
const KEYS = '{mailvet}:smtp-probe';

let redis: TestRedis;
let client: Redis;
let connection: QueueConnection;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  redis = await claimTestRedis();
  client = new Redis(redis.url);
  connection = connectQueues(redis.url);
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  connection.onApplicationShutdown();
  client.disconnect();
  await redis.release();
});

function producer(own = connection): TestProducer<Payload> {
  const made = new TestProducer(own, QUEUE);
  closing.push(() => made.beforeApplicationShutdown());
  return made;
}

interface Terms extends Partial<Pick<Serving<Payload>, 'concurrency' | 'lockMs' | 'stalledEveryMs'>> {
  readonly own?: QueueConnection;
  readonly graceMs?: number;
}

async function consume(handle: Serving<Payload>['handle'], { own = connection, graceMs = 5000, ...terms }: Terms = {}) {
  const outcomes: JobOutcome[] = [];
  const failed: FailedJob[] = [];
  const { host, close } = await serveQueue({
    queue: QUEUE,
    connection: own,
    handle,
    services: {
      graceMs,
      failedJobs: { insert: async (job) => void failed.push(job) },
      metrics: { ran: (_, outcome) => void outcomes.push(outcome) },
    },
    ...terms,
  });
  closing.push(close);
  return { host, outcomes, failed, close };
}

const job = (n: number, priority = 2) => ({ payload: { n }, priority });
const has = (check: () => boolean | Promise<boolean>, ms = 60_000) => waitUntil(async () => check(), { ms });
const jobKeys = () => client.keys(`${KEYS}:number-*`);

describe('a queue', () => {
  it('holds a job once, however often it is added, and removes it when it ends', async () => {
    const seen: number[] = [];
    const jobs = producer();
    jobs.add([job(1), job(2), job(1)]);
    jobs.add([job(2)]);
    expect(await has(async () => (await jobKeys()).length === 2)).toBe(true);
    await consume(async ({ n }) => {
      seen.push(n);
      return OVER;
    });
    expect(await has(async () => seen.length === 2 && (await jobKeys()).length === 0)).toBe(true);
    jobs.add([job(1)]);
    expect(await has(() => seen.length === 3)).toBe(true);
  });

  it('may be split into several of Redis, which are served and counted as one', async () => {
    const split = connectQueues(redis.url, 3);
    closing.push(async () => split.onApplicationShutdown());
    const jobs = producer(split);
    const all = Array.from({ length: 60 }, (_, n) => n);
    jobs.add(all.map((n) => (n % 2 === 0 ? job(n) : { payload: { n }, priority: { flow: 'one' } })));
    jobs.add([job(7), job(8)]);
    const depths = async () => (await readDepths(openQueues(split.redis, { 'smtp-probe': 3 }))).get('smtp-probe');
    expect(await has(async () => (await depths())?.waiting === all.length)).toBe(true);
    for (const part of ['smtp-probe', 'smtp-probe-2', 'smtp-probe-3']) {
      expect(await client.zcard(`{mailvet}:${part}:prioritized`)).toBeGreaterThan(9);
    }
    const seen: number[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { host, close } = await consume(
      async ({ n }) => {
        seen.push(n);
        await held;
        return OVER;
      },
      { own: split, concurrency: 6 },
    );
    expect(await has(() => seen.length === 6)).toBe(true);
    expect(host.active).toBe(6);
    release();
    expect(await has(() => seen.length === all.length)).toBe(true);
    expect(seen.toSorted((a, b) => a - b)).toEqual(all);
    await close();
    expect(host.active).toBe(0);
  });

  it('is reported as stuck only in a process whose runs never end', async () => {
    const queues = openQueues(connection.redis, {});
    const depths = new QueueDepths({ list: () => queues } as AllQueues);
    const watching = () =>
      new QueueWatch(
        depths,
        new Liveness(),
        { probes: { deadlineMs: 1 } } as AppConfig,
        { registry: new Registry() } as Metrics,
        { patienceMs: 300, lookEveryMs: 50 },
      );
    const [stuck, lively] = [watching(), watching()];
    let release = (): void => undefined;
    const held = new Promise<JobEnding>((resolve) => (release = () => resolve(OVER)));
    stuck.watch((await consume(() => held)).host);
    // Shares the queue and ends its runs, but never takes the last job.
    lively.watch({
      name: 'smtp-probe',
      active: 1,
      isRefused: false,
      get steps() {
        return performance.now();
      },
    });
    for (const watch of [stuck, lively]) {
      watch.onApplicationBootstrap();
      closing.push(async () => watch.onApplicationShutdown());
    }
    const jobs = producer();
    jobs.add([job(1)]);
    expect(await has(async () => (await client.llen(`${KEYS}:active`)) === 1)).toBe(true);
    // Nothing waits any more, however long it took to be taken.
    expect(await has(() => stuck.fault === null)).toBe(true);
    jobs.add([job(2)]);
    expect(await has(() => stuck.fault !== null)).toBe(true);
    expect(stuck.fault).toMatch(
      /^on the queue smtp-probe work waits and nothing has moved for \d+ s \(1 jobs are held\)$/,
    );
    expect(lively.fault).toBeNull();
    release();
    expect(await has(() => stuck.fault === null)).toBe(true);
  });

  it('serves urgent jobs first, also jobs that became urgent later', async () => {
    const jobs = producer();
    jobs.add(Array.from({ length: 20 }, (_, n) => job(n)));
    jobs.add([{ payload: { n: 7 }, priority: 1, hasten: true }]);
    jobs.add([{ payload: { n: 99 }, priority: 1, hasten: true }]);
    expect(await has(async () => (await jobKeys()).length === 21)).toBe(true);
    expect(await has(async () => (await client.hget(`${KEYS}:number-7`, 'priority')) === '1')).toBe(true);
    const seen: number[] = [];
    await consume(async ({ n }) => {
      seen.push(n);
      return OVER;
    });
    expect(await has(() => seen.length === 21)).toBe(true);
    expect(seen.slice(0, 4).toSorted((a, b) => a - b)).toEqual([0, 1, 7, 99]);
  });

  it('lets flows take turns, however many jobs each has', async () => {
    const jobs = producer();
    const of = (flow: string, ...ns: number[]) => ns.map((n) => ({ payload: { n }, priority: { flow } }));
    jobs.add(of('many', ...Array.from({ length: 20 }, (_, n) => n)));
    expect(await has(async () => (await jobKeys()).length === 20)).toBe(true);
    // They come later, one of them for a job that is there already.
    jobs.add([...of('few', 50, 51), ...of('one', 9)]);
    expect(await has(async () => (await jobKeys()).length === 22)).toBe(true);
    expect(await has(async () => (await client.hget(`${KEYS}:number-9`, 'priority')) === '1')).toBe(true);
    const seen: number[] = [];
    await consume(async ({ n }) => {
      seen.push(n);
      // A flow that was idle begins where the others are.
      if (seen.length === 10) jobs.add(of('few', 60));
      await has(async () => seen.length !== 10 || (await client.exists(`${KEYS}:number-60`)) === 1);
      return OVER;
    });
    expect(await has(() => seen.length === 23)).toBe(true);
    expect(seen.slice(0, 3).toSorted((a, b) => a - b)).toEqual([0, 9, 50]);
    expect(seen.slice(3, 5).toSorted((a, b) => a - b)).toEqual([1, 51]);
    expect(seen.indexOf(60)).toBeLessThan(13);
  });

  it('runs a job again when requested, or at once when hastened', async () => {
    const runs: number[] = [];
    const { outcomes } = await consume(async () => {
      runs.push(performance.now());
      if (runs.length === 1) return { kind: 'again', afterMs: 300 };
      return runs.length === 2 ? { kind: 'again', afterMs: 600_000 } : OVER;
    });
    const jobs = producer();
    jobs.add([job(1)]);
    expect(await has(() => runs.length === 2)).toBe(true);
    expect(runs[1]! - runs[0]!).toBeGreaterThan(290);
    const queues = openQueues(connection.redis, {});
    expect(await has(async () => (await readDepths(queues)).get('smtp-probe')?.delayed === 1)).toBe(true);
    jobs.add([{ ...job(1, 1), hasten: true }]);
    expect(await has(() => runs.length === 3)).toBe(true);
    expect(await has(() => outcomes.length === 3)).toBe(true);
    expect(outcomes).toEqual(['again', 'again', 'over']);
  });

  it('continues after a failed job, which is removed', async () => {
    const seen: number[] = [];
    const { outcomes } = await consume(async ({ n }) => {
      seen.push(n);
      if (n === 1) throw new Error('a failure of its own');
      return OVER;
    });
    producer().add([job(1), job(2)]);
    expect(await has(async () => outcomes.length === 2 && (await jobKeys()).length === 0)).toBe(true);
    expect(outcomes).toEqual(['failed', 'over']);
    expect(seen).toEqual([1, 2]);
  });

  it('keeps a job while the database is down', async () => {
    let away = true;
    const { outcomes } = await consume(async () => {
      if (away) throw serviceUnavailable(new Error('gone'));
      return OVER;
    });
    const jobs = producer();
    jobs.add([job(1)]);
    expect(await has(() => outcomes.length === 1)).toBe(true);
    expect(await has(async () => (await client.zcard(`${KEYS}:delayed`)) === 1)).toBe(true);
    away = false;
    jobs.add([{ ...job(1), hasten: true }]);
    expect(await has(() => outcomes.length === 2)).toBe(true);
    expect(outcomes).toEqual(['again', 'over']);
  });

  it('records any unreadable payload as a failed job', async () => {
    const seen: number[] = [];
    const { failed, outcomes } = await consume(async ({ n }) => {
      seen.push(n);
      return OVER;
    });
    const jobs = producer();
    jobs.add([{ payload: { n: 'many' as unknown as number }, priority: 2 }]);
    jobs.add([job(2)]);
    expect(await has(() => outcomes.length === 2)).toBe(true);
    expect(outcomes).toEqual(['poison', 'over']);
    expect(failed).toMatchObject([{ queue: 'smtp-probe', jobId: 'number-many', details: null }]);
    expect(failed[0]?.why).toContain('cannot be read');
    expect(await has(async () => (await jobKeys()).length === 0)).toBe(true);
  });

  it('is not blocked by a job whose data is no JSON', async () => {
    const jobs = producer();
    jobs.add([job(1), job(2), job(3)]);
    expect(await has(async () => (await jobKeys()).length === 3)).toBe(true);
    await client.hset(`${KEYS}:number-1`, 'data', '{broken');
    const seen: number[] = [];
    const { failed } = await consume(
      async ({ n }) => {
        seen.push(n);
        return OVER;
      },
      { lockMs: 400, stalledEveryMs: 200 },
    );
    expect(await has(async () => new Set(seen).size === 2 && (await jobKeys()).length === 0)).toBe(true);
    expect(failed).toMatchObject([{ jobId: 'number-1' }]);
  });

  it('finishes its jobs when it closes, and takes no new ones', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { close } = await consume(
      async ({ n }) => {
        begun.push(n);
        await held;
        ended.push(n);
        return OVER;
      },
      { graceMs: 60_000 },
    );
    producer().add([job(1), job(2)]);
    expect(await has(() => begun.length === 1)).toBe(true);
    const closed = close();
    release();
    await closed;
    expect([begun, ended]).toEqual([[1], [1]]);
    expect(await jobKeys()).toEqual([`${KEYS}:number-2`]);
  });

  it('abandons jobs that do not end in time, for other workers', async () => {
    const { close } = await consume(
      async (_, stop) => {
        await new Promise((resolve) => {
          stop.addEventListener('abort', resolve);
        });
        return { kind: 'again', afterMs: 0 };
      },
      { graceMs: 400 },
    );
    producer().add([job(1)]);
    expect(await has(async () => (await client.llen(`${KEYS}:active`)) === 1)).toBe(true);
    await close();
    const taken: number[] = [];
    await consume(async ({ n }) => {
      taken.push(n);
      return OVER;
    });
    expect(await has(() => taken.length === 1)).toBe(true);
  });
});

it('closes even if a run never ends', async () => {
  const { host, close } = await consume(() => new Promise(() => undefined), { graceMs: 400 });
  producer().add([job(1)]);
  expect(await has(() => host.active === 1)).toBe(true);
  const began = performance.now();
  await close();
  expect(performance.now() - began).toBeLessThan(20_000);
});

describe('without Redis', () => {
  it('adding returns at once and throws nothing, and a close does not wait', async () => {
    const { hostname: host, port } = new URL(redis.url);
    const link = await breakableLink({ host, port: Number(port) });
    const url = new URL(redis.url);
    url.port = String(link.port);
    const own = connectQueues(url.href);
    const jobs = new TestProducer(own, QUEUE);
    const began = performance.now();
    for (let n = 0; n < 100; n++) jobs.add(Array.from({ length: 300 }, (_, i) => job(n * 1000 + i)));
    expect(performance.now() - began).toBeLessThan(5000);
    const { close } = await consume(async () => OVER, { own, graceMs: 40_000 });
    const closed = performance.now();
    await Promise.all([jobs.beforeApplicationShutdown(), close()]);
    expect(performance.now() - closed).toBeLessThan(20_000);
    own.onApplicationShutdown();
    await link.close();
  });

  it('no job runs, and all run when it is back', async () => {
    const { hostname: host, port } = new URL(redis.url);
    const link = await breakableLink({ host, port: Number(port) });
    const url = new URL(redis.url);
    url.port = String(link.port);
    const own = connectQueues(url.href);
    const seen: number[] = [];
    const { close } = await consume(
      async ({ n }) => {
        seen.push(n);
        return OVER;
      },
      { own },
    );
    await link.restore();
    const jobs = new TestProducer(own, QUEUE);
    jobs.add([job(1)]);
    expect(await has(() => seen.length === 1)).toBe(true);
    await link.cut();
    await link.restore();
    expect(
      await has(() => {
        jobs.add([job(2)]);
        return seen.includes(2);
      }),
    ).toBe(true);
    await Promise.all([jobs.beforeApplicationShutdown(), close()]);
    own.onApplicationShutdown();
    await link.close();
  });
});

describe('a Redis that deletes keys', () => {
  const hastened = (n: number) => ({ ...job(n), hasten: true });

  it.each([
    ['the order of what waits', ['prioritized', 'pc']],
    [
      'all but the jobs',
      ['prioritized', 'pc', 'meta', 'marker', 'events', 'id', 'wait', 'active', 'delayed', 'stalled'],
    ],
  ])('restores %s for overdue work', async (_, keys) => {
    const jobs = producer();
    jobs.add([job(1), job(2), job(3)]);
    expect(await has(async () => (await jobKeys()).length === 3)).toBe(true);
    await client.del(...keys.map((key) => `${KEYS}:${key}`));
    const seen: number[] = [];
    await consume(async ({ n }) => {
      seen.push(n);
      return OVER;
    });
    const befallen: unknown[] = [];
    connection.onException = (...what) => befallen.push(what);
    jobs.add([job(1), job(2), job(3)]);
    jobs.add([hastened(1), hastened(2), hastened(3)]);
    expect(await has(async () => seen.length === 3 && (await jobKeys()).length === 0)).toBe(true);
    expect(befallen).toEqual([['smtp-probe', 'put_back', 3]]);
  });

  it('restores a delayed job', async () => {
    let runs = 0;
    await consume(async () => (++runs === 1 ? { kind: 'again', afterMs: 600_000 } : OVER));
    const jobs = producer();
    jobs.add([job(1)]);
    expect(await has(async () => (await client.zcard(`${KEYS}:delayed`)) === 1)).toBe(true);
    await client.del(`${KEYS}:delayed`);
    jobs.add([hastened(1)]);
    expect(await has(async () => runs === 2 && (await jobKeys()).length === 0)).toBe(true);
  });

  it('restores a job that it lost while it ran, once that run has ended', async () => {
    const ends: (() => void)[] = [];
    await consume(() => new Promise((resolve) => ends.push(() => resolve(OVER))), {
      concurrency: 2,
      lockMs: 400,
      stalledEveryMs: 200,
    });
    const jobs = producer();
    jobs.add([job(1)]);
    expect(await has(() => ends.length === 1)).toBe(true);
    await client.del(`${KEYS}:active`, `${KEYS}:stalled`);
    ends[0]!();
    const again = setInterval(() => jobs.add([hastened(1)]), 100);
    expect(await has(() => ends.length === 2)).toBe(true);
    clearInterval(again);
    ends[1]!();
    expect(await has(async () => (await jobKeys()).length === 0)).toBe(true);
  });

  it('that still lists the id of a deleted job records no failure, and frees the id', async () => {
    const jobs = producer();
    jobs.add([job(1), job(2)]);
    expect(await has(async () => (await jobKeys()).length === 2)).toBe(true);
    await client.del(`${KEYS}:number-1`);
    const seen: number[] = [];
    const { outcomes, failed } = await consume(async ({ n }) => {
      seen.push(n);
      return OVER;
    });
    expect(await has(async () => outcomes.length === 2 && (await jobKeys()).length === 0)).toBe(true);
    expect([outcomes.toSorted(), seen, failed]).toEqual([['lost', 'over'], [2], []]);
    jobs.add([job(1)]);
    expect(await has(() => seen.length === 2)).toBe(true);
  });

  it('that deletes the lock of a running job may run it once more, and leaves nothing', async () => {
    const ends: (() => void)[] = [];
    await consume(() => new Promise((resolve) => ends.push(() => resolve(OVER))), {
      concurrency: 2,
      lockMs: 30_000,
      stalledEveryMs: 200,
    });
    producer().add([job(1)]);
    expect(await has(() => ends.length === 1)).toBe(true);
    await client.del(`${KEYS}:number-1:lock`);
    expect(await has(() => ends.length === 2)).toBe(true);
    for (const end of ends) end();
    expect(await has(async () => (await jobKeys()).length === 0)).toBe(true);
  });
});
