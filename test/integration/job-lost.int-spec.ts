import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';
import { askedAbout } from '../lab/asked-about.js';
import { JobBatchProducer } from '../../src/jobs/job-batch.queue.js';
import { ChunkTurnsRepository } from '../../src/jobs/chunks/chunk-turns.repository.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, PROBER_NAME } from '../lab/world.js';
import { waitUntil } from '../support/wait-until.js';
import { balanceOf, entriesOf, makeAccount, mismatches } from './billing-support.js';
import { chunkRows, completed, JobBench, jobRow, resultsOf, submitJobRows, tellWorker } from './job-support.js';

const SLOW = { lines: ACCEPTED, delayMs: 400 };
const domains = Array.from({ length: 12 }, (_, i) => `d${i}.test`);
const slowEmails = (prefix: string) => Array.from({ length: 20 }, (_, i) => `${prefix}${i}@slow.test`);
const emailsOf = (prefix: string, each = 30) =>
  domains.flatMap((domain) => Array.from({ length: each }, (_, i) => `${prefix}${i}@${domain}`));

let bench: JobBench;

beforeAll(async () => {
  bench = await JobBench.start(
    joinWorlds(
      ...domains.map((domain) => domainWithHost(domain, { otherRecipients: ACCEPTED, roundTripMs: 20 })),
      domainWithHost('slow.test', { otherRecipients: SLOW, pipelining: false }),
      domainWithHost('grey.test', {
        otherRecipients: ACCEPTED,
        greylist: { afterMs: 500, answer: '451 4.7.1 <{recipient}>: Greylisted' },
      }),
    ),
  );
});
afterEach(async () => {
  await bench.stopWorkers();
  await bench.flushRedis();
  await bench.forget('jobs', 'job_entries', 'job_chunks', 'failed_jobs', 'cached_checks');
});
afterAll(() => bench?.close());

const account = () => makeAccount(bench.dataSource, { purchased: 10_000 });
const spent = async (id: string) => 10_000 - (await balanceOf(bench.dataSource, id))['purchased']!;
const begun = (jobId: string, entries = 1) =>
  waitUntil(async () => (await jobRow(bench.dataSource, jobId)).done >= entries, { ms: 60_000, everyMs: 10 });
const failedJobs = () =>
  bench.dataSource.query<{ job_id: string; why: string }[]>('SELECT job_id, why FROM failed_jobs');
const makeOld = (jobId: string) =>
  bench.dataSource.query('UPDATE jobs SET created_at = created_at - INTERVAL 25 HOUR WHERE id = ?', [idToBytes(jobId)]);
/** As after a while in which nothing was heard of anything. @param holds of chunks: a run that goes on renews its own */
const letTimePass = (jobId: string, holds: 'expired' | 'renewed' = 'expired') =>
  Promise.all([
    bench.dataSource.query('UPDATE jobs SET touched_at = touched_at - INTERVAL 60 SECOND WHERE id = ?', [
      idToBytes(jobId),
    ]),
    bench.dataSource.query(
      `UPDATE job_chunks SET queued_at = queued_at - INTERVAL 60 SECOND, due_at = due_at - INTERVAL 60 SECOND
        WHERE job_id = ? AND state = 'due' ${holds === 'renewed' ? 'AND holder IS NULL' : ''}`,
      [idToBytes(jobId)],
    ),
  ]);

async function expectAllValid(jobId: string, emails: readonly string[]): Promise<void> {
  const results = await resultsOf(bench.dataSource, jobId);
  expect(results.map(({ email }) => email)).toEqual(emails);
  expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['valid']));
}

it('a job that was never queued is found in the database', async () => {
  const [owner, emails] = [await account(), emailsOf('untold')];
  const jobId = await submitJobRows(bench.dataSource, owner, emails);
  await letTimePass(jobId);
  await bench.startWorker();
  expect(await completed(bench.dataSource, jobId)).toBe(true);
  await expectAllValid(jobId, emails);
});

it('an emptied Redis loses no address and no credit, and causes no second probe', async () => {
  const [owner, emails] = [
    await account(),
    [...emailsOf('flushed'), ...emailsOf('slow', 1).map((_, i) => `s${i}@slow.test`)],
  ];
  const jobId = await submitJobRows(bench.dataSource, owner, emails);
  const worker = await bench.startWorker({ WORKER_CONCURRENCY: '2' });
  tellWorker(worker, jobId);
  await begun(jobId);
  await bench.flushRedis();
  await letTimePass(jobId, 'renewed');
  expect(await completed(bench.dataSource, jobId)).toBe(true);
  await expectAllValid(jobId, emails);
  expect(await spent(owner)).toBe(emails.length);
  const asked = askedAbout(bench.lab, [...domains.map((domain) => `mx.${domain}`), 'mx.slow.test']);
  expect(emails.filter((email) => asked.get(email) !== 1)).toEqual([]);
});

it('a queue that lost its order but not its jobs is repaired', async () => {
  const [owner, emails] = [await account(), emailsOf('order')];
  const jobId = await submitJobRows(bench.dataSource, owner, emails);
  const worker = await bench.startWorker({ WORKER_CONCURRENCY: '1' });
  const redis = new Redis(bench.redis.url);
  const key = (name: string) => `{mailvet}:job-batch:${name}`;
  try {
    tellWorker(worker, jobId);
    const waits = async () => (await redis.zcard(key('prioritized'))) > 0;
    expect(await waitUntil(waits, { ms: 60_000, everyMs: 5 })).toBe(true);
    await redis.del(key('prioritized'), key('pc'));
    await letTimePass(jobId);
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    await expectAllValid(jobId, emails);
    expect(await redis.keys(key('*-*-*-*'))).toEqual([]);
  } finally {
    redis.disconnect();
  }
});

it('a queue job that is delivered repeatedly takes effect once', async () => {
  const [owner, emails] = [await account(), emailsOf('again')];
  const jobId = await submitJobRows(bench.dataSource, owner, emails);
  const workers = await Promise.all([bench.startWorker(), bench.startWorker()]);
  const queue = workers[0].get(JobBatchProducer, { strict: false });
  const tellAgain = async (): Promise<void> => {
    await bench.flushRedis();
    queue.queuePlanning(jobId);
    queue.queueResultWriting(jobId);
    const chunks = await chunkRows(bench.dataSource, jobId);
    queue.queueChunks(chunks.map(({ number, priority }) => ({ jobId, number, priority })));
  };
  const nudge = setInterval(() => void tellAgain(), 50);
  try {
    tellWorker(workers[0], jobId);
    expect(await completed(bench.dataSource, jobId)).toBe(true);
  } finally {
    clearInterval(nudge);
  }
  await expectAllValid(jobId, emails);
  expect(await jobRow(bench.dataSource, jobId)).toMatchObject({ done: emails.length, total: emails.length });
  expect(await spent(owner)).toBe(emails.length);
  const asked = askedAbout(
    bench.lab,
    domains.map((domain) => `mx.${domain}`),
  );
  expect(emails.filter((email) => asked.get(email) !== 1)).toEqual([]);
});

describe('a worker that stops', () => {
  it('leaves the rest to other workers at once, and keeps its outcomes', async () => {
    const [owner, emails] = [await account(), slowEmails('stop')];
    const jobId = await submitJobRows(bench.dataSource, owner, emails);
    const worker = await bench.startWorker({ SHUTDOWN_GRACE_MS: '1000' });
    tellWorker(worker, jobId);
    await begun(jobId);
    const stopping = performance.now();
    await bench.stopWorker(worker);
    expect(performance.now() - stopping).toBeLessThan(20_000);
    const { done } = await jobRow(bench.dataSource, jobId);
    expect(done).toBeLessThan(emails.length);
    expect(await chunkRows(bench.dataSource, jobId)).toMatchObject([
      { state: 'due', begun: 0, failures: 0, holder: null },
    ]);
    await bench.startWorker();
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    await expectAllValid(jobId, emails);
    // Nobody whose outcome is known is asked about again; who was just being asked about is.
    const asked = askedAbout(bench.lab, ['mx.slow.test']);
    expect(emails.filter((email) => (asked.get(email) ?? 0) > 2)).toEqual([]);
    expect(emails.filter((email) => asked.get(email) === 1).length).toBeGreaterThanOrEqual(done);
  });
});

describe('a worker that dies', () => {
  const turns = () => new ChunkTurnsRepository(bench.dataSource);

  /** A planned job whose chunk is held by somebody who is never heard of again. */
  async function heldByTheDead(emails: readonly string[]) {
    const owner = await account();
    const jobId = await submitJobRows(bench.dataSource, owner, emails);
    const worker = await bench.startWorker({ WORKER_CONCURRENCY: '1', SHUTDOWN_GRACE_MS: '1000' });
    tellWorker(worker, jobId);
    expect(
      await waitUntil(async () => (await chunkRows(bench.dataSource, jobId)).length > 0, { ms: 60_000, everyMs: 5 }),
    ).toBe(true);
    await bench.stopWorker(worker);
    await bench.flushRedis();
    expect(await turns().claim(jobId, 0)).toMatchObject({ kind: 'held' });
    return { owner, jobId };
  }

  it('delays its chunk only until its lease expires', async () => {
    const emails = slowEmails('dead');
    const { jobId } = await heldByTheDead(emails);
    expect(await turns().claim(jobId, 0)).toMatchObject({ kind: 'later' });
    const worker = await bench.startWorker();
    worker.get(JobBatchProducer, { strict: false }).queueChunks([{ jobId, number: 0, priority: 1 }]);
    await letTimePass(jobId);
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    await expectAllValid(jobId, emails);
  });

  it('repeatedly on the same chunk ends the chunk, and refunds its addresses', async () => {
    const emails = slowEmails('poison');
    const { jobId, owner } = await heldByTheDead(emails);
    const { done } = await jobRow(bench.dataSource, jobId);
    await bench.dataSource.query('UPDATE job_chunks SET begun = 5');
    await letTimePass(jobId);
    await bench.startWorker();
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    const results = await resultsOf(bench.dataSource, jobId);
    expect(results.filter(({ error }) => error === 'verify_unavailable')).toHaveLength(emails.length - done);
    expect(await spent(owner)).toBe(done);
    expect(await mismatches(bench.dataSource, owner)).toEqual([]);
    expect(await failedJobs()).toMatchObject([
      { job_id: `chunk-${jobId}-0`, why: expect.stringContaining('5 runs') as string },
    ]);
  });

  it('repeatedly on the same plan ends the job', async () => {
    const owner = await account();
    const jobId = await submitJobRows(bench.dataSource, owner, emailsOf('plan', 1));
    await bench.dataSource.query('UPDATE jobs SET begun = 5');
    tellWorker(await bench.startWorker(), jobId);
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    expect(await spent(owner)).toBe(0);
    expect(await failedJobs()).toMatchObject([{ job_id: `plan-${jobId}` }]);
  });
});

describe('a job that is not completed within a day', () => {
  it('ends: open entries are refunded exactly once, and outcomes are kept', async () => {
    const [owner, emails] = [
      await account(),
      [...emailsOf('day'), ...Array.from({ length: 700 }, (_, i) => `x${i}@grey.test`)],
    ];
    const jobId = await submitJobRows(bench.dataSource, owner, emails);
    const worker = await bench.startWorker({ GREYLIST_RETRY_MS: '3600000' });
    tellWorker(worker, jobId);
    expect(await begun(jobId, emails.length - 700)).toBe(true);
    await makeOld(jobId);
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    const results = await resultsOf(bench.dataSource, jobId);
    expect(results.slice(0, -700).every(({ result }) => result === 'valid')).toBe(true);
    expect(results.slice(-700)).toEqual(emails.slice(-700).map((email) => ({ email, error: 'verify_unavailable' })));
    expect(await spent(owner)).toBe(emails.length - 700);
    expect(await mismatches(bench.dataSource, owner)).toEqual([]);
    expect(await failedJobs()).toMatchObject([{ why: 'the job was not completed within a day' }]);
    expect((await chunkRows(bench.dataSource, jobId)).every(({ state }) => state === 'done')).toBe(true);
  });

  it('ends even if it was never planned, and a late plan changes nothing', async () => {
    const [owner, emails] = [await account(), emailsOf('never', 60)];
    const jobId = await submitJobRows(bench.dataSource, owner, emails);
    await makeOld(jobId);
    const workers = await Promise.all([bench.startWorker(), bench.startWorker()]);
    tellWorker(workers[1], jobId);
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    const results = await resultsOf(bench.dataSource, jobId);
    const valid = results.filter(({ result }) => result === 'valid').length;
    const given = results.filter(({ error }) => error === 'verify_unavailable').length;
    expect(valid + given).toBe(emails.length);
    expect(await spent(owner)).toBe(valid);
    expect(await mismatches(bench.dataSource, owner)).toEqual([]);
  });
});

it('our own failures are retried, and refunded in the end', async () => {
  const [owner, emails] = [await account(), emailsOf('ours', 3)];
  const jobId = await submitJobRows(bench.dataSource, owner, emails);
  const worker: NestFastifyApplication = await bench.startWorker({
    SMTP_EGRESS: `socks5://127.0.0.1:1=${PROBER_NAME}`,
  });
  tellWorker(worker, jobId);
  const failedOnce = async () => (await chunkRows(bench.dataSource, jobId)).every(({ failures }) => failures >= 1);
  expect(
    await waitUntil(async () => (await chunkRows(bench.dataSource, jobId)).length > 0 && failedOnce(), { ms: 60_000 }),
  ).toBe(true);
  expect(await jobRow(bench.dataSource, jobId)).toMatchObject({ done: 0 });
  await bench.dataSource.query('UPDATE job_chunks SET failures = 4');
  expect(await completed(bench.dataSource, jobId)).toBe(true);
  expect(await resultsOf(bench.dataSource, jobId)).toEqual(
    emails.map((email) => ({ email, error: 'verify_unavailable' })),
  );
  expect(await spent(owner)).toBe(0);
  expect(await mismatches(bench.dataSource, owner)).toEqual([]);
  const kinds = (await entriesOf(bench.dataSource, owner)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'refund')).toHaveLength(emails.length);
});

it('greylisted addresses are probed again through the same egress', async () => {
  const [owner, emails] = [await account(), ['a', 'b', 'c'].map((name) => `${name}.same@grey.test`)];
  const egresses = ['127.0.0.51', '127.0.0.52', '127.0.0.53'].map((ip) => `${ip}=${PROBER_NAME}`).join(',');
  const worker = await bench.startWorker({ SMTP_EGRESS: egresses });
  const before = bench.lab.sessions('mx.grey.test').length;
  const jobIds: string[] = [];
  for (const email of emails) jobIds.push(await submitJobRows(bench.dataSource, owner, [email]));
  for (const jobId of jobIds) tellWorker(worker, jobId);
  for (const jobId of jobIds) expect(await completed(bench.dataSource, jobId)).toBe(true);
  const from = new Map<string, string[]>();
  for (const { clientAddress, commands } of bench.lab.sessions('mx.grey.test').slice(before)) {
    const email = commands.map((line) => /^RCPT TO:<([^>]+)>/i.exec(line)?.[1]).find((one) => one !== undefined)!;
    from.set(email, [...(from.get(email) ?? []), clientAddress]);
  }
  for (const email of emails) {
    const addresses = from.get(email)!;
    expect(addresses).toHaveLength(2);
    expect(addresses[1]).toBe(addresses[0]);
  }
  expect(new Set([...from.values()].flat()).size).toBe(3);
});
