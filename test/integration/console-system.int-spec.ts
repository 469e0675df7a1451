import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Redis } from 'ioredis';
import { AuditPointsRepository } from '../../src/billing/ledger/audit-points.repository.js';
import { LedgerAuditMetrics } from '../../src/billing/ledger/audit-metrics.js';
import { LedgerAuditRepository } from '../../src/billing/ledger/ledger-audit.repository.js';
import { LedgerAuditTask } from '../../src/billing/ledger/ledger-audit.task.js';
import { LedgerAuditsRepository } from '../../src/billing/ledger/ledger-audits.repository.js';
import type { SystemReport } from '../../src/console/admin/admin.response.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { RedisThrottleStore } from '../../src/platform/politeness/redis-throttle-store.js';
import { throttleKeys } from '../../src/platform/politeness/throttle-store.js';
import { createWorker } from '../../src/roles/worker.js';
import { readyRedis } from '../support/ready-redis.js';
import { waitUntil } from '../support/wait-until.js';
import { askConsole, ConsoleBench, type SignedInUser } from './console-bench.js';

let bench: ConsoleBench;
let app: NestFastifyApplication;
let operator: SignedInUser;
let account: string;
let redis: Redis;
beforeAll(async () => {
  bench = await ConsoleBench.start();
  app = await bench.startConsole();
  account = await bench.makeAccount();
  operator = await bench.makeUser({ operator: true });
  redis = await readyRedis(bench.environment['REDIS_URL']!);
});
afterAll(async () => {
  redis?.disconnect();
  await bench?.close();
});

const workerSettings = () =>
  loadConfig('worker', { ...bench.environment, SMTP_HELO_NAME: 'mx1.example.com', WORKER_QUEUES: 'smtp-probe' });
const report = async (): Promise<SystemReport> =>
  (await askConsole(app, 'admin/system', { token: operator.token })).body as SystemReport;

describe('the state of the service, to an operator', () => {
  it('has nothing to tell of a service that has done nothing', async () => {
    expect(await report()).toMatchObject({ egress: [], politeness: [], ledger_audit: null });
  });

  it('has the mail hosts that are left alone, until their pause ends', async () => {
    const store = new RedisThrottleStore(redis);
    const keys = throttleKeys('provider:google', 'direct/mx1.example.com', 'example.com');
    const limits = { maxConnections: 1, recipientsPerMinute: 60_000 };
    const permit = await store.acquire({ keys, recipients: 1, limits, leaseMs: 10_000 });
    if (permit.kind !== 'granted') throw new Error(`the store answered ${permit.kind}`);
    await permit.release({ kind: 'session_refused', retryAfterSeconds: 120 });
    const { politeness } = await report();
    expect(politeness).toEqual([
      {
        host: 'google',
        domain: 'example.com',
        egress: 'direct/mx1.example.com',
        refusals: 3,
        until: expect.any(String) as string,
      },
    ]);
    const leftMs = Date.parse(politeness![0]!.until) - Date.now();
    expect(leftMs).toBeGreaterThan(60_000);
    expect(leftMs).toBeLessThanOrEqual(120_000);
    await redis.del(keys.domainRefusals);
    expect(await report()).toMatchObject({ politeness: [] });
  });

  it('has the ways out of a worker while it runs', async () => {
    const worker = await createWorker(workerSettings(), createLog('silent'));
    await worker.init();
    expect(await waitUntil(async () => (await report()).egress?.length === 1, { ms: 60_000 })).toBeTruthy();
    expect((await report()).egress).toEqual([
      {
        process: expect.stringMatching(/^worker on ./) as string,
        helo_name: 'mx1.example.com',
        helo_resolves: null,
        reverse_dns_matches: null,
        port: 'unknown',
        failing: false,
      },
    ]);
    await worker.close();
    expect(await report()).toMatchObject({ egress: [] });
  });

  it('has the last daily audit that a worker made', async () => {
    const { dataSource } = bench.database;
    const metrics = new Metrics(workerSettings().config);
    const task = new LedgerAuditTask(
      new LedgerAuditRepository(dataSource),
      new LedgerAuditMetrics(metrics),
      new LedgerAuditsRepository(dataSource),
      new AuditPointsRepository(dataSource),
    );
    const never = new AbortController().signal;
    await task.run(never);
    expect(await report()).toMatchObject({ ledger_audit: { accounts: 1, mismatches: 0 } });
    await dataSource.query('INSERT INTO account_balances VALUES (?, 7, 7, 0, 0)', [idToBytes(account)]);
    await task.run(never);
    expect(await report()).toMatchObject({ ledger_audit: { accounts: 1, mismatches: 1 } });
  });
});
