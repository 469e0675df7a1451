import { Redis } from 'ioredis';
import { GreylistingDomains } from '../../src/jobs/planning/greylisting-domains.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { waitUntil } from '../support/wait-until.js';
import { makeAccount } from './billing-support.js';
import { chunkRows, completed, JobBench, jobRow, submitJobRows, tellWorker } from './job-support.js';

jest.setTimeout(400_000);

const polite = { otherRecipients: ACCEPTED, roundTripMs: 20 };
const domains = Array.from({ length: 100 }, (_, i) => `d${i}.test`);

let bench: JobBench;

beforeAll(async () => {
  bench = await JobBench.start(
    joinWorlds(
      ...domains.map((domain) => domainWithHost(domain, polite)),
      domainWithHost('big.test', polite),
      domainWithHost('grey.test', { ...polite, greylist: { afterMs: 50, answer: '451 4.7.1 Greylisted' } }),
    ),
  );
});
afterEach(async () => {
  await bench.stopWorkers();
  await bench.flushRedis();
  await bench.forget('jobs', 'job_entries', 'job_chunks');
});
afterAll(() => bench?.close());

const account = () => makeAccount(bench.dataSource, { purchased: 20_000 });
const listOf = (prefix: string, each: number) =>
  domains.flatMap((domain) => Array.from({ length: each }, (_, i) => `${prefix}${i}@${domain}`));

it('a small job completes while ten thousand addresses of another account are processed', async () => {
  const worker = await bench.startWorker({ WORKER_CONCURRENCY: '4' });
  const large = await submitJobRows(bench.dataSource, await account(), listOf('large', 100));
  tellWorker(worker, large);
  const isUnderWay = async () => (await jobRow(bench.dataSource, large)).done > 0;
  expect(await waitUntil(isUnderWay, { ms: 60_000 })).toBe(true);
  const small = await submitJobRows(bench.dataSource, await account(), listOf('small', 1));
  tellWorker(worker, small);
  expect(await completed(bench.dataSource, small)).toBe(true);
  const { done, total } = await jobRow(bench.dataSource, large);
  expect(total).toBe(10_000);
  expect(done).toBeLessThan(total / 2);
});

it('a second job of an account waits for its first', async () => {
  const owner = await account();
  const [first, second] = [
    await submitJobRows(bench.dataSource, owner, listOf('first', 30)),
    await submitJobRows(bench.dataSource, owner, listOf('second', 30)),
  ];
  const worker = await bench.startWorker({ WORKER_CONCURRENCY: '2' });
  tellWorker(worker, first);
  const isPlanned = async () => (await jobRow(bench.dataSource, first)).stage === 'planned';
  expect(await waitUntil(isPlanned, { ms: 60_000, everyMs: 10 })).toBe(true);
  tellWorker(worker, second);
  expect(await completed(bench.dataSource, first)).toBe(true);
  const chunks = await chunkRows(bench.dataSource, second);
  expect(chunks.filter(({ state }) => state === 'done').length).toBeLessThan(chunks.length / 4);
});

it('a big domain is probed a few chunks at a time, after the first chunks of the others', async () => {
  const owner = await account();
  const big = Array.from({ length: 2000 }, (_, i) => `x${i}@big.test`);
  const jobId = await submitJobRows(bench.dataSource, owner, [...big, ...listOf('other', 30)]);
  const worker = await bench.startWorker({ WORKER_CONCURRENCY: '1' });
  tellWorker(worker, jobId);
  const isPlanned = async () => (await jobRow(bench.dataSource, jobId)).stage === 'planned';
  expect(await waitUntil(isPlanned, { ms: 60_000, everyMs: 10 })).toBe(true);
  const planned = await chunkRows(bench.dataSource, jobId);
  const ofBig = planned.filter(({ group_name }) => group_name === 'domain:big.test');
  expect(ofBig).toHaveLength(20);
  expect(ofBig.filter(({ due_at }) => due_at.getUTCFullYear() < 9999)).toHaveLength(4);
  expect(ofBig.map(({ priority }) => priority).slice(0, 3)).toEqual([1, 102, 103]);
  await bench.stopWorkers();
  // Each that is done lets the next one begin.
  await bench.startWorker();
  expect(await completed(bench.dataSource, jobId)).toBe(true);
});

it('a domain that greylisted before is probed first, so that its retry is due while others are probed', async () => {
  const worker = await bench.startWorker({ WORKER_CONCURRENCY: '1', GREYLIST_RETRY_MS: '100' });
  const sessionsOf = (domain: string) => bench.lab.sessions(`mx.${domain}`).map(({ openedAt }) => openedAt);
  /** Counts the domains that are probed before the greylisting one. */
  const probedBefore = async (name: string): Promise<number> => {
    const before = new Map(['grey.test', ...domains].map((domain) => [domain, sessionsOf(domain).length]));
    const jobId = await submitJobRows(bench.dataSource, await account(), [...listOf(name, 1), `${name}@grey.test`]);
    tellWorker(worker, jobId);
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    const begins = (domain: string) => sessionsOf(domain)[before.get(domain)!]!;
    return domains.filter((domain) => begins(domain) < begins('grey.test')).length;
  };
  expect(await probedBefore('once')).toBeGreaterThan(50);
  expect(await probedBefore('again')).toBeLessThan(50);
});

describe('of domains that greylisted', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(bench.redis.url);
  });
  afterAll(() => redis.disconnect());

  it('the oldest are forgotten where there are more than 20,000', async () => {
    const greylisting = new GreylistingDomains(redis);
    const isKnown = async (domain: string) => (await greylisting.among([domain])).has(domain);
    greylisting.note(['oldest.test', 'old.test']);
    expect(await waitUntil(() => isKnown('old.test'), { ms: 60_000 })).toBe(true);
    greylisting.note(['old.test', ...Array.from({ length: 19_999 }, (_, i) => `d${i}.test`)]);
    expect(await waitUntil(async () => !(await isKnown('oldest.test')), { ms: 60_000 })).toBe(true);
    expect([...(await greylisting.among(['d0.test', 'old.test', 'd19998.test']))]).toHaveLength(3);
  });
});
