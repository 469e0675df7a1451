import { setTimeout as delay } from 'node:timers/promises';
import { askedAbout } from '../lab/asked-about.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { waitUntil } from '../support/wait-until.js';
import { balanceOf, makeAccount, mismatches } from './billing-support.js';
import { completed, JobBench, jobRow, resultsOf, submitJobRows, tellWorker } from './job-support.js';

const domains = Array.from({ length: 10 }, (_, i) => `d${i}.test`);
/** Slow enough for an outage to begin and to end in the middle of it. */
const host = { otherRecipients: { lines: ACCEPTED, delayMs: 150 } };
const OUTAGE_MS = 2000;

let bench: JobBench;
let toDatabase: BreakableLink;
let toRedis: BreakableLink;

async function linkTo(url: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(url);
  const link = await breakableLink({ host: hostname, port: Number(port) });
  await link.restore();
  return link;
}

function through(url: string, { port }: BreakableLink): string {
  const link = new URL(url);
  link.host = `127.0.0.1:${port}`;
  return link.href;
}

beforeAll(async () => {
  bench = await JobBench.start(joinWorlds(...domains.map((domain) => domainWithHost(domain, host))));
  toDatabase = await linkTo(bench.database.url);
  toRedis = await linkTo(bench.redis.url);
  await bench.startWorker({
    DATABASE_URL: through(bench.database.url, toDatabase),
    REDIS_URL: through(bench.redis.url, toRedis),
  });
});
afterAll(async () => {
  await toDatabase?.restore();
  await toRedis?.restore();
  await bench?.close();
  await Promise.all([toDatabase?.close(), toRedis?.close()]);
});

it.each([
  ['MySQL', () => toDatabase],
  ['Redis', () => toRedis],
])('a job survives an outage of %s, and probes no address twice', async (which, link) => {
  const { dataSource } = bench;
  const owner = await makeAccount(dataSource, { purchased: 1000 });
  const emails = domains.flatMap((domain) =>
    Array.from({ length: 30 }, (_, i) => `${which.toLowerCase()}${i}@${domain}`),
  );
  const jobId = await submitJobRows(dataSource, owner, emails);
  // Beside the worker's own way, which may be cut.
  const [worker] = bench.running;
  tellWorker(worker!, jobId);
  const isUnderWay = async () => (await jobRow(dataSource, jobId)).done > 0;
  expect(await waitUntil(isUnderWay, { ms: 60_000, everyMs: 20 })).toBe(true);
  await link().cut();
  await delay(OUTAGE_MS);
  expect((await jobRow(dataSource, jobId)).status).toBe('processing');
  await link().restore();
  expect(await completed(dataSource, jobId, 120_000)).toBe(true);
  const results = await resultsOf(dataSource, jobId);
  expect(results.map(({ email }) => email)).toEqual(emails);
  expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['valid']));
  expect(await balanceOf(dataSource, owner)).toMatchObject({ purchased: 1000 - emails.length });
  expect(await mismatches(dataSource, owner)).toEqual([]);
  const asked = askedAbout(
    bench.lab,
    domains.map((domain) => `mx.${domain}`),
  );
  expect(emails.filter((email) => asked.get(email) !== 1)).toEqual([]);
});
