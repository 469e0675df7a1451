import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { createLog } from '../../src/platform/logging/log.js';
import { MAINTENANCE_QUEUE } from '../../src/platform/queues/maintenance.queue.js';
import { MaintenanceProcessor } from '../../src/platform/queues/maintenance.processor.js';
import { MaintenanceScheduler, SCHEDULE_EVERY_MS } from '../../src/platform/queues/maintenance-scheduler.js';
import { MaintenanceEvery } from '../../src/platform/queues/maintenance-every.js';
import { MaintenanceTasks } from '../../src/platform/queues/maintenance-tasks.js';
import { WorkerHostServices } from '../../src/platform/queues/worker-host-services.js';
import { createWorker } from '../../src/roles/worker.js';
import { breakableLink } from '../support/breakable-link.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { connectQueues, startQueueModule } from '../support/queue-process.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';
import { makeAccount } from './billing-support.js';

Logger.overrideLogger(false);

let redis: TestRedis;
beforeEach(async () => {
  redis = await claimTestRedis();
});
afterEach(() => redis.release());

/** A provider with one task, which counts its runs. */
function countingTask(name: string, everyMs: number, work = async (_signal: AbortSignal): Promise<void> => undefined) {
  class Counting {
    runs = 0;
    @MaintenanceEvery(everyMs, name)
    async run(signal: AbortSignal): Promise<void> {
      this.runs++;
      await work(signal);
    }
  }
  return new Counting();
}
/** Every minute, as in the product, where nothing else is said. */
interface Terms {
  readonly lookEveryMs?: number;
  readonly onRun?: (outcome: string) => void;
}

/** Runs tasks as a worker process does. */
async function startRunner(url: string, tasks: readonly object[], { lookEveryMs = 60_000, onRun }: Terms = {}) {
  const connection = connectQueues(url);
  const services: WorkerHostServices = {
    connection,
    failedJobs: { insert: async () => undefined },
    metrics: { ran: (_, outcome) => onRun?.(outcome) },
    watch: { watch: () => undefined },
    graceMs: 5000,
  };
  const app = await startQueueModule(
    connection,
    [MAINTENANCE_QUEUE.name],
    [
      MaintenanceTasks,
      MaintenanceScheduler,
      MaintenanceProcessor,
      { provide: WorkerHostServices, useValue: services },
      { provide: SCHEDULE_EVERY_MS, useValue: lookEveryMs },
      ...tasks.map((task, i) => ({ provide: `task ${i}`, useValue: task })),
    ],
  );
  const close = async (): Promise<void> => {
    await app.close();
    connection.onApplicationShutdown();
  };
  return { close };
}
const has = (check: () => boolean, ms = 60_000) => waitUntil(async () => check(), { ms });

describe('maintenance tasks', () => {
  it('run on their schedule, also after a failure, once across all processes', async () => {
    const [first, second] = [countingTask('count', 200), countingTask('count', 200)];
    const failing = countingTask('fail', 200, async () => {
      throw new Error('a failure of its own');
    });
    const outcomes: string[] = [];
    const onRun = (outcome: string): void => void outcomes.push(outcome);
    const runners = await Promise.all([
      startRunner(redis.url, [first, failing], { onRun }),
      startRunner(redis.url, [second, failing], { onRun }),
    ]);
    const began = performance.now();
    expect(await has(() => first.runs + second.runs >= 5 && failing.runs >= 3)).toBe(true);
    const slots = (performance.now() - began) / 200;
    expect(first.runs + second.runs).toBeLessThanOrEqual(slots + 2);
    await Promise.all(runners.map((runner) => runner.close()));
    const ran = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    expect([ran('over'), ran('failed')]).toEqual([first.runs + second.runs, failing.runs]);
  });

  it('are scheduled again when Redis was emptied', async () => {
    const task = countingTask('count', 100);
    const runner = await startRunner(redis.url, [task], { lookEveryMs: 200 });
    expect(await has(() => task.runs > 1)).toBe(true);
    const client = new Redis(redis.url);
    await client.flushdb();
    const before = task.runs;
    expect(await has(() => task.runs > before + 2)).toBe(true);
    client.disconnect();
    await runner.close();
  });

  it.each([
    ['the place of the next run', ['delayed', 'wait', 'active', 'marker']],
    ['the next run itself', []],
    ['the schedule', ['repeat']],
  ])('are scheduled again when Redis has deleted %s', async (what, keys) => {
    const task = countingTask('count', 100);
    const runner = await startRunner(redis.url, [task], { lookEveryMs: 200 });
    expect(await has(() => task.runs > 1)).toBe(true);
    const client = new Redis(redis.url);
    const runs = what === 'the next run itself' ? await client.keys('{mailvet}:maintenance:repeat:count:*') : [];
    await client.del(...keys.map((key) => `{mailvet}:maintenance:${key}`), ...runs, 'nothing');
    const before = task.runs;
    expect(await has(() => task.runs > before + 2)).toBe(true);
    client.disconnect();
    await runner.close();
  });

  it('start when Redis becomes available; a stop does not wait for a missing Redis', async () => {
    const { hostname: host, port } = new URL(redis.url);
    const link = await breakableLink({ host, port: Number(port) });
    const url = new URL(redis.url);
    url.port = String(link.port);
    const task = countingTask('count', 100);
    const runner = await startRunner(url.href, [task], { lookEveryMs: 200 });
    await link.restore();
    expect(await has(() => task.runs > 1)).toBe(true);
    await link.cut();
    await runner.close();
    await link.close();
  });

  it('end early when the process stops', async () => {
    let ended = false;
    const task = countingTask('wait', 100, async (signal) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      ended = true;
    });
    const runner = await startRunner(redis.url, [task]);
    expect(await has(() => task.runs === 1)).toBe(true);
    await runner.close();
    expect(ended).toBe(true);
  });
});

describe('the worker', () => {
  let database: MigratedDatabase;
  let worker: NestFastifyApplication;
  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterAll(async () => {
    await worker?.close();
    await database.drop();
  });

  it('deletes expired answers and old checks, and closes past months', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 5 });
    const row = 'VALUES (UNHEX(SHA2(?, 256)), ?, UNHEX(SHA2(1, 256)), ?, UTC_TIMESTAMP(3) + INTERVAL ? HOUR)';
    for (const hours of [-2, -1, 1]) {
      await database.dataSource.query(
        `INSERT INTO idempotency_records (scope_sha256, account_id, request_sha256, lease, expires_at) ${row}`,
        [hours, idToBytes(account), idToBytes(account), hours],
      );
    }
    for (const days of [91, 89]) {
      await database.dataSource.query(
        `INSERT INTO cached_checks
          SELECT UNHEX(SHA2(?, 256)), 1, 'example.com', 'standard', '{}', 1, expiry, expiry
            FROM (SELECT UTC_TIMESTAMP(3) - INTERVAL ? DAY AS expiry) AS moment`,
        [days, days],
      );
    }
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, WORKER_PORT: '0', WORKER_QUEUES: 'maintenance' };
    const settings = loadConfig('worker', env);
    worker = await createWorker(settings, createLog('silent'));
    await worker.init();
    const count = async (table: string): Promise<number> => {
      const [found] = await database.dataSource.query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
      return Number(found?.n);
    };
    const tables = ['idempotency_records', 'ledger_closings', 'cached_checks'];
    const done = async () => (await Promise.all(tables.map(count))).every((rows) => rows === 1);
    expect(await waitUntil(done, { ms: 60_000 })).toBe(true);
    await worker.close();
  });
});
