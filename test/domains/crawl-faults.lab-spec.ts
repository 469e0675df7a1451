import { CRAWL_PARTS } from '../../src/domains/crawl/crawl-parts.js';
import { mergeCrawl } from '../../src/domains/crawl/merge-crawl.js';
import type { DnsData } from '../lab/dns/dns-data.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { inLanes } from '../support/in-lanes.js';
import { TestAuthority } from '../support/certificates.js';
import { PolicyServer } from '../support/policy-server.js';
import { trust } from '../support/trust.js';
import { crawlerUnderTest, type CrawlerUnderTest } from './support/crawler-under-test.js';
import { FAULT_KINDS, faultyDomain, FAULTS_COMMON } from './support/faulty-domains.js';

jest.setTimeout(300_000);

const DOMAINS = 200;
const EVERY_SLOW = 10;
/** Few are under way at once of those that keep the process busy. */
const AT_ONCE = { quick: 8, heavy: 2 };
/** The slow ones wait beside each other. One begins with every so many others: they do not all ask again in the same moments. */
const QUICK_PER_SLOW = 3;
/** Far from what is needed: name server and crawler share one busy process here. */
const TIMEOUT_MS = 10_000;
const LIMITS = { crawlMs: 60_000, partMs: 40_000 };

/** Kinds in turn; the slow ones, of which a few will do, stand evenly among the others. */
const kinds = Array.from({ length: DOMAINS }, (_, i) => {
  const [slow, quick] = [true, undefined].map((wanted) => FAULT_KINDS.filter((kind) => kind.slow === wanted));
  const slowBefore = Math.floor(i / EVERY_SLOW);
  const group = i % EVERY_SLOW === 0 ? slow! : quick!;
  return group[(i % EVERY_SLOW === 0 ? slowBefore : i - slowBefore - 1) % group.length]!;
});
const kindOf = (index: number) => kinds[index]!;
const domains = Array.from({ length: DOMAINS }, (_, i) => `d${i}.example`);
const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap' || kind === 'TCPSocketWrap').length;

let lab: Laboratory;
let policies: PolicyServer;
let crawler: CrawlerUnderTest;
let distrust: () => void;
let socketsBefore: number;

beforeAll(async () => {
  const authority = new TestAuthority();
  distrust = trust(authority.certificate);
  const dns: DnsData = Object.assign({}, FAULTS_COMMON, ...domains.map((name, i) => faultyDomain(name, kindOf(i))));
  lab = await startLaboratory({ dns, hosts: {} });
  const hosts = domains.map((name, i) => [`mta-sts.${name}`, kindOf(i).policy ?? {}] as const);
  policies = await PolicyServer.start(authority, Object.fromEntries(hosts));
  socketsBefore = openSockets();
  crawler = crawlerUnderTest({
    dnsServer: lab.dnsServer,
    httpsPort: policies.port,
    timeoutMs: TIMEOUT_MS,
    zones: 'ip.lists.test',
    limits: LIMITS,
  });
});
afterAll(async () => {
  crawler?.close();
  await policies?.stop();
  await lab?.stop();
  distrust();
});

interface Finished {
  readonly domain: string;
  readonly what: string;
  readonly open: readonly string[];
  readonly expected: readonly string[];
  readonly unavailable: readonly string[];
  readonly ms: number;
}

async function crawlOne(index: number): Promise<Finished> {
  const domain = domains[index]!;
  const { what, open: expected } = kindOf(index);
  const began = performance.now();
  const crawl = await crawler.crawler.crawl(domain);
  const ms = performance.now() - began;
  const { facts } = mergeCrawl(domain, null, crawl);
  const open = Object.entries(facts ?? {}).flatMap(([fact, value]) => (value === null ? [fact] : []));
  const { unavailable } = crawl;
  return { domain, what, open: open.toSorted(), expected: expected.toSorted(), unavailable, ms };
}

it('200 domains with every fault are crawled within bounds, and exactly the failed facts are null', async () => {
  const began = performance.now();
  const finished: Finished[] = [];
  const indices = domains.map((_, index) => index);
  const [slow, heavy] = (['slow', 'heavy'] as const).map((is) => indices.filter((index) => kindOf(index)[is] === true));
  const quick = indices.filter((index) => !slow!.includes(index) && !heavy!.includes(index));
  const crawl = async (index: number): Promise<void> => void finished.push(await crawlOne(index));
  const waiting: Promise<void>[] = [];
  await Promise.all([
    inLanes(heavy!, AT_ONCE.heavy, crawl),
    inLanes([...quick.entries()], AT_ONCE.quick, async ([nth, index]) => {
      if (nth % QUICK_PER_SLOW === 0 && slow!.length > 0) waiting.push(crawl(slow!.shift()!));
      await crawl(index);
    }),
  ]);
  await Promise.all(waiting);
  const seconds = (performance.now() - began) / 1000;
  const slowest = finished.reduce((one, other) => (other.ms > one.ms ? other : one));

  const wrong = finished.filter(({ open, expected }) => open.join() !== expected.join());
  expect(wrong).toEqual([]);
  expect(finished.flatMap(({ unavailable }) => unavailable)).toEqual([]);
  expect(crawler.faults).toEqual([]);
  expect(finished).toHaveLength(DOMAINS);
  expect(new Set(finished.map(({ what }) => what)).size).toBe(FAULT_KINDS.length);
  expect([...crawler.outcomes.values()].reduce((sum, n) => sum + n, 0)).toBe(DOMAINS * CRAWL_PARTS.length);
  // More than its limit by what a busy machine adds. Without one the slowest would take minutes.
  expect(slowest.ms).toBeLessThan(LIMITS.crawlMs + 20_000);
  process.stdout.write(
    `${DOMAINS} domains in ${seconds.toFixed(1)} s, ${lab.totalDnsQueries} questions; ` +
      `the slowest took ${(slowest.ms / 1000).toFixed(1)} s (${slowest.what})\n`,
  );
});

it('a crawl leaves no socket behind', async () => {
  crawler.close();
  await policies.stop();
  for (let turn = 0; openSockets() > socketsBefore && turn < 300; turn += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  expect(openSockets()).toBeLessThanOrEqual(socketsBefore);
});
