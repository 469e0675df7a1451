import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createWorker } from '../../src/roles/worker.js';
import { SmtpProbeProducer } from '../../src/verify/probes/smtp-probe.queue.js';
import { AddressVault } from '../../src/verify/address-vault/address-vault.js';
import { PendingProbesRepository } from '../../src/verify/probes/pending-probes.repository.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, PROBER_NAME } from '../lab/world.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';
import { stopwatch } from '../support/waited-for-processor.js';
import { addressOf, pendingParts, pendingRows } from './pending-support.js';

const SECRET = 'a-secret-of-this-test';
const TOKEN = 'a-token-of-this-test';
const vault = new AddressVault([{ id: 1, key: SECRET }]);
/** Hosts that greet so late that their probes end long after those of others. */
const SILENT = Array.from({ length: 40 }, (_, i) => `silent${i}.example`);
const world = joinWorlds(
  domainWithHost('company.example', { recipients: { ada: ACCEPTED, bob: ACCEPTED }, delayMs: 20 }),
  domainWithHost('slow.example', { otherRecipients: { lines: ACCEPTED, delayMs: 3000 } }),
  ...SILENT.map((domain) => domainWithHost(domain, { greeting: { lines: '220 at last', delayMs: 40_000 } })),
  domainWithHost('grey.example', {
    otherRecipients: ACCEPTED,
    greylist: { afterMs: 500, answer: '451 4.7.1 Greylisted, try again later' },
  }),
);

let database: MigratedDatabase;
let redis: TestRedis;
let client: Redis;
let lab: Laboratory;
const workers: NestFastifyApplication[] = [];

beforeAll(async () => {
  lab = await startLaboratory(world);
  database = await createMigratedDatabase();
});
beforeEach(async () => {
  redis = await claimTestRedis();
  client = new Redis(redis.url);
  for (const table of ['pending_probes', 'waiting_charges', 'failed_jobs', 'cached_checks', 'catch_all_domains']) {
    await database.dataSource.query(`DELETE FROM ${table}`);
  }
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  client.disconnect();
  await redis.release();
});
afterAll(async () => {
  await lab?.stop();
  await database?.drop();
});

async function startWorker(env: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
  const settings = loadConfig('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    ADDRESS_HASH_SECRET: SECRET,
    ...laboratoryEnvironment(lab),
    GREYLIST_RETRY_MS: '1500',
    ...env,
  });
  const worker = await createWorker(settings, createLog('silent'));
  workers.push(worker);
  await worker.init();
  return worker;
}

const pending = () => new PendingProbesRepository(database.dataSource, vault);
const hashOf = (text: string) => vault.hash(addressOf(text));
const want = (text: string, urgency: 'single' | 'batch' = 'batch') => ({
  hash: hashOf(text),
  address: addressOf(text),
  mode: 'standard' as const,
  urgency,
  newerThan: null,
});
const cached = async (text: string) => {
  const hash = hashOf(text);
  return (await pendingParts(database.dataSource).cache.findByHash([hash])).get(hash);
};
const gone = async () => (await pendingRows(database.dataSource)).every(({ active }) => active === null);
const eventually = (check: () => Promise<boolean>, ms = 150_000) => waitUntil(check, { ms, everyMs: 50 });

/** Rows and jobs, as a call makes them. */
async function ask(worker: NestFastifyApplication, texts: readonly string[], accountId?: string): Promise<void> {
  await pending().addProbes(texts.map((text) => ({ ...want(text), accountId })));
  const probes = texts.map((text) => ({ hash: hashOf(text), urgency: 'batch' as const, accountId }));
  worker.get(SmtpProbeProducer, { strict: false }).queueProbes(probes);
}

describe('a worker', () => {
  it('settles a pending address right after its host’s answer, with one session', async () => {
    const worker = await startWorker();
    await ask(worker, ['ada@company.example', 'grace.hopper@company.example']);
    const elapsed = stopwatch(process.pid);
    expect(await eventually(gone)).toBe(true);
    // Who looks for what the queue has lost comes after ten seconds.
    expect(elapsed()).toBeLessThan(9000);
    expect(await cached('ada@company.example')).toMatchObject({ facts: { probe: { class: 'accepted' } } });
    expect(await cached('grace.hopper@company.example')).toMatchObject({
      facts: { probe: { class: 'mailbox_not_found' } },
    });
    expect(lab.sessions('mx.company.example')).toHaveLength(2);
  });

  it('finds probes that Redis has lost, and probes each address once', async () => {
    const texts = Array.from({ length: 50 }, (_, i) => `ada.lovelace${i}@company.example`);
    const before = lab.sessions('mx.company.example').length;
    await pending().addProbes(texts.map((text) => want(text)));
    await client.flushdb();
    await Promise.all([startWorker(), startWorker()]);
    expect(await eventually(gone)).toBe(true);
    expect(lab.sessions('mx.company.example')).toHaveLength(before + 50);
  });

  it('probes a greylisted address once more, after the delay', async () => {
    const worker = await startWorker();
    await ask(worker, ['ada@grey.example']);
    expect(await eventually(async () => (await pendingRows(database.dataSource))[0]?.state === 'greylisted')).toBe(
      true,
    );
    expect(await eventually(gone)).toBe(true);
    const [first, second, ...more] = lab.sessions('mx.grey.example');
    expect(more).toEqual([]);
    expect(second!.openedAt - first!.openedAt).toBeGreaterThan(1400);
    expect(await cached('ada@grey.example')).toMatchObject({ facts: { probe: { class: 'accepted' } } });
  });

  it('records an unreadable job as failed, and continues', async () => {
    const worker = await startWorker();
    const queue = new Queue('smtp-probe', { connection: client, prefix: '{mailvet}' });
    await queue.add(
      'smtp-probe',
      { hash: 'not a hash' },
      { jobId: 'probe-x', removeOnComplete: true, removeOnFail: true },
    );
    await queue.add('smtp-probe', 'no object', { jobId: 'probe-y', removeOnComplete: true, removeOnFail: true });
    await ask(worker, ['ada@company.example']);
    expect(await eventually(gone)).toBe(true);
    const failed = () =>
      database.dataSource.query<{ job_id: string }[]>('SELECT job_id FROM failed_jobs ORDER BY job_id');
    expect(await eventually(async () => (await failed()).length === 2)).toBe(true);
    expect((await failed()).map(({ job_id }) => job_id)).toEqual(['probe-x', 'probe-y']);
    expect(await eventually(async () => (await client.exists('{mailvet}:smtp-probe:probe-x')) === 0)).toBe(true);
    await queue.close();
  });

  it('ends a probe whose turns never reported back', async () => {
    const [added] = await pending().addProbes([want('ada@company.example')]);
    await database.dataSource.query('UPDATE pending_probes SET begun = 5');
    const worker = await startWorker();
    worker.get(SmtpProbeProducer, { strict: false }).queueProbes([{ hash: added!.hash, urgency: 'single' }]);
    expect(await eventually(gone)).toBe(true);
    expect(await pendingRows(database.dataSource)).toMatchObject([
      { state: 'failed', why: expect.stringContaining('5 probes') },
    ]);
  });

  it('ends a probe that fails on our side three times', async () => {
    const worker = await startWorker({ SMTP_EGRESS: `socks5://127.0.0.1:1=${PROBER_NAME}` });
    await ask(worker, ['ada@company.example']);
    // As if the call that asked were charged: the address is kept for others.
    await database.dataSource.query('UPDATE pending_probes SET askers = 0');
    expect(await eventually(gone)).toBe(true);
    const [row] = await pendingRows(database.dataSource);
    expect(row).toMatchObject({ state: 'failed', failures: 2, sealed_address: null });
    expect(await cached('ada@company.example')).toBeUndefined();
  });

  it('finishes its jobs when it stops, and takes no new ones', async () => {
    const worker = await startWorker({ WORKER_CONCURRENCY: '1' });
    await ask(worker, ['ada@slow.example', 'bob@slow.example']);
    const before = lab.sessions('mx.slow.example').length;
    expect(await eventually(async () => lab.sessions('mx.slow.example').length > before)).toBe(true);
    workers.splice(0);
    await worker.close();
    expect(await pendingRows(database.dataSource)).toHaveLength(1);
    const results = await Promise.all(['ada@slow.example', 'bob@slow.example'].map(cached));
    expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    await startWorker();
    expect(await eventually(gone)).toBe(true);
  });

  it('leaves jobs that do not end in time to other workers, which start them at once', async () => {
    const worker = await startWorker({ SHUTDOWN_GRACE_MS: '1000' });
    await ask(worker, ['carol@slow.example']);
    expect(await eventually(async () => (await pendingRows(database.dataSource))[0]?.begun === 1)).toBe(true);
    workers.splice(0);
    const stopping = performance.now();
    await worker.close();
    expect(performance.now() - stopping).toBeLessThan(20_000);
    expect(await pendingRows(database.dataSource)).toMatchObject([{ state: 'due', begun: 0, failures: 0 }]);
    await startWorker();
    const elapsed = stopwatch(process.pid);
    expect(await eventually(gone)).toBe(true);
    expect(elapsed()).toBeLessThan(12_000);
    expect(await cached('carol@slow.example')).toMatchObject({ facts: { probe: { class: 'accepted' } } });
  });

  it("settles one account's addresses while others wait for hosts that do not greet", async () => {
    const worker = await startWorker({ WORKER_CONCURRENCY: '4', SHUTDOWN_GRACE_MS: '1000' });
    const attackers = [newId(), newId(), newId()];
    const silent = attackers.flatMap((_, i) => SILENT.map((domain) => `ada${i}@${domain}`));
    for (const [i, attacker] of attackers.entries()) {
      await ask(worker, silent.slice(i * SILENT.length, (i + 1) * SILENT.length), attacker);
    }
    const begun = () => SILENT.filter((domain) => lab.sessions(`mx.${domain}`).length > 0).length;
    expect(await eventually(async () => begun() > 8)).toBe(true);
    await ask(worker, ['ada@company.example', 'bob@company.example'], newId());
    expect(await eventually(async () => (await cached('bob@company.example')) !== undefined)).toBe(true);
    // Not one host has greeted meanwhile.
    const rows = await pendingRows(database.dataSource);
    expect(rows.filter(({ active }) => active === 1).length).toBeGreaterThanOrEqual(silent.length);
    expect(rows.every(({ failures, state }) => failures === 0 && state === 'due')).toBe(true);
    workers.splice(0);
    await worker.close();
  });

  it('serves only the configured queues', async () => {
    await pending().addProbes([want('ada@company.example')]);
    const worker = await startWorker({ WORKER_QUEUES: 'maintenance' });
    expect(() => worker.get(SmtpProbeProducer, { strict: false })).toThrow();
    expect(await pendingRows(database.dataSource)).toHaveLength(1);
  });

  it('shows a scaler how much waits on any queue, and for how long, until the work is done', async () => {
    const [other, queue] = [
      await startWorker({ METRICS_TOKEN: TOKEN, WORKER_QUEUES: 'maintenance' }),
      new Queue('smtp-probe', { connection: client, prefix: '{mailvet}' }),
    ];
    const figure = async (name: string): Promise<number> => {
      const { body } = await other.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
      const line = body.split('\n').find((each) => each.startsWith(`${name} `));
      return Number(line?.slice(name.length));
    };
    // What docker/k8s/components/keda asks for.
    const waiting = 'mailvet_queue_jobs{queue="smtp-probe",state="waiting"}';
    const oldest = 'mailvet_queue_oldest_waiting_seconds{queue="smtp-probe"}';
    expect([await figure(waiting), await figure(oldest)]).toEqual([0, 0]);
    const texts = ['ada@company.example', 'bob@company.example', 'ada@grey.example'];
    await pending().addProbes(texts.map((text) => want(text)));
    for (const text of texts) {
      const hash = hashOf(text);
      await queue.add('smtp-probe', { hash }, { jobId: `probe-${hash}`, removeOnComplete: true });
    }
    expect(await eventually(async () => (await figure(waiting)) === 3 && (await figure(oldest)) > 0)).toBe(true);
    await startWorker();
    expect(await eventually(async () => (await figure(waiting)) === 0 && (await figure(oldest)) === 0)).toBe(true);
    await queue.close();
  });

  it('serves its metrics with the token', async () => {
    const worker = await startWorker({ METRICS_TOKEN: TOKEN });
    await ask(worker, ['ada@company.example']);
    expect(await eventually(gone)).toBe(true);
    const read = (authorization?: string) =>
      worker.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });
    expect((await read()).statusCode).toBe(401);
    expect((await read('Bearer another')).statusCode).toBe(401);
    // The row is gone before the run of its job has ended.
    const over = 'mailvet_jobs_total{queue="smtp-probe",outcome="over"} 1';
    expect(await eventually(async () => (await read(`Bearer ${TOKEN}`)).body.includes(over))).toBe(true);
    const { statusCode, body, headers } = await read(`Bearer ${TOKEN}`);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain('mailvet_probes_total{stage="rcpt",ending="reply"} 1');
    expect(body).toContain('mailvet_queue_jobs{queue="smtp-probe",state="waiting"} 0');
    expect(body).toContain('mailvet_pending_probes{state="due"} 0');
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).not.toContain('company.example');
    const ready = await worker.inject({ url: '/health/ready' });
    expect(ready.json()).toMatchObject({ details: { 'smtp-probe': { active: 0, reachable: true } } });
  });
});
