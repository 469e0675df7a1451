import type { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import type { SignalListsProvider } from '../lists/signal-lists-provider.js';
import type { CrawlRecord, CrawlTurn, CrawlTurnsRepository } from '../store/crawl-turns.repository.js';
import { CRAWL_PARTS, type Crawl, type CrawlPart } from './crawl-parts.js';
import type { CrawlerProvider } from './crawler-provider.js';
import type { CrawlLimits } from './domain-crawler.js';
import { DomainCrawlService } from './domain-crawl.service.js';
import { CRAWL_EVERY_MS } from './next-crawl.js';

const MINUTE = 60_000;
const DOMAIN = 'example.com';
const NEW: CrawlTurn = { facts: null, openParts: '', attempts: 0, begun: 1, ageMs: null };
const known: DomainFacts = { ...nothingKnownOf(DOMAIN), mx: true, spf: true };
const lists = {
  isAllowListed: () => false,
  isDisposableDomain: () => false,
  isDisposableMailHost: () => false,
  isFreemail: () => null,
} as unknown as SignalListsProvider;

function crawl(over: Partial<Crawl> = {}): Crawl {
  return { found: { mx: true, spf: false }, failed: [], unavailable: [], ...over };
}

interface Given {
  readonly turn?: CrawlTurn | null;
  readonly comes?: Crawl;
  readonly stop?: AbortController;
  readonly awaited?: boolean;
}

async function run({ turn = NEW, comes = crawl(), stop = new AbortController(), awaited }: Given) {
  const calls = { asked: null as readonly CrawlPart[] | null, recorded: null as CrawlRecord | null };
  const done: string[] = [];
  let limits: CrawlLimits | undefined;
  const turns: Pick<CrawlTurnsRepository, 'beginCrawl' | 'record' | 'release' | 'postpone'> = {
    beginCrawl: async () => turn,
    record: async (_, record) => void (calls.recorded = record),
    release: async () => void done.push('released'),
    postpone: async (_, ms) => void done.push(`postponed for ${ms / 86_400_000} days`),
  };
  const crawler: Pick<CrawlerProvider, 'crawl'> = {
    crawl: async (_, parts, _stop, its) => {
      calls.asked = parts ?? null;
      limits = its;
      return comes;
    },
  };
  const failedJobs: Pick<FailedJobsRepository, 'insert'> = { insert: async ({ why }) => void done.push(why) };
  const service = new DomainCrawlService(
    turns as CrawlTurnsRepository,
    crawler as CrawlerProvider,
    failedJobs as FailedJobsRepository,
    lists,
  );
  const ending = await service.crawl(DOMAIN, stop.signal, awaited);
  return { ...calls, done, ending, ...(limits === undefined ? {} : { limits }) };
}

describe('a crawl', () => {
  it('does not start for a domain that is not due', async () => {
    expect(await run({ turn: null })).toEqual({ asked: null, recorded: null, done: [], ending: { kind: 'over' } });
  });

  it('crawls every part the first time, and is next due after a week', async () => {
    const { asked, recorded } = await run({});
    expect(asked).toBe(CRAWL_PARTS);
    expect(recorded).toMatchObject({
      facts: { domain: DOMAIN, mx: true, spf: false },
      judgement: { scoreVersion: 1 },
      openParts: [],
      attempts: 0,
      whole: true,
      nextMs: CRAWL_EVERY_MS,
    });
  });

  it('is followed by a crawl of the open parts alone', async () => {
    const first = await run({ comes: crawl({ found: { mx: true, spf: null }, failed: ['spf'] }) });
    expect(first.recorded).toMatchObject({ openParts: ['spf'], attempts: 1, whole: true, nextMs: MINUTE });
    const turn: CrawlTurn = { facts: known, openParts: 'spf', attempts: 1, begun: 1, ageMs: MINUTE };
    const again = await run({ turn, comes: crawl({ found: { spf: null }, failed: ['spf'] }) });
    expect(again.asked).toEqual(['spf']);
    expect(again.recorded).toMatchObject({ openParts: ['spf'], attempts: 2, whole: false, nextMs: 10 * MINUTE });
    const last = await run({ turn: { ...turn, attempts: 2 }, comes: crawl({ found: { spf: true } }) });
    expect(last.recorded).toMatchObject({
      facts: { mx: true, spf: true },
      openParts: [],
      attempts: 0,
      whole: false,
      nextMs: CRAWL_EVERY_MS - MINUTE,
    });
  });

  it('covers every part again after a week, whatever is open', async () => {
    const turn: CrawlTurn = { facts: known, openParts: 'dkim', attempts: 5, begun: 1, ageMs: CRAWL_EVERY_MS };
    const { asked, recorded } = await run({ turn });
    expect(asked).toBe(CRAWL_PARTS);
    expect(recorded).toMatchObject({ attempts: 0, whole: true });
    const failing = await run({ turn, comes: crawl({ failed: ['spf'] }) });
    expect(failing.recorded).toMatchObject({ attempts: 1, whole: true, nextMs: MINUTE });
  });

  it.each([
    ['nothing is open', { openParts: '', ageMs: MINUTE }],
    ['the next crawl is due within a minute', { openParts: 'dkim', ageMs: CRAWL_EVERY_MS - MINUTE }],
    ['nothing is known', { openParts: 'dkim', ageMs: MINUTE, facts: null }],
    ['their age is unknown', { openParts: 'dkim', ageMs: null }],
  ])('covers every part if %s', async (_, changes) => {
    const turn: CrawlTurn = { facts: known, attempts: 1, begun: 1, ...changes };
    expect((await run({ turn })).asked).toBe(CRAWL_PARTS);
  });

  it('takes less time if a caller waits', async () => {
    expect((await run({ awaited: true })).limits).toEqual({ crawlMs: 6_000, partMs: 6_000 });
    expect(await run({})).not.toHaveProperty('limits');
  });

  it('keeps the facts and their age if our own resolver was down', async () => {
    const nobody = crawl({ found: {}, unavailable: CRAWL_PARTS });
    const fresh = await run({ comes: nobody });
    expect(fresh.recorded).toMatchObject({ facts: null, judgement: null, attempts: 1, whole: false, nextMs: MINUTE });
    const turn: CrawlTurn = { facts: known, openParts: '', attempts: 0, begun: 1, ageMs: CRAWL_EVERY_MS + 5 };
    const late = await run({ turn, comes: nobody });
    expect(late.recorded).toMatchObject({ facts: known, attempts: 1, whole: false, nextMs: MINUTE });
    const long = await run({ turn: { ...turn, attempts: 30 }, comes: nobody });
    expect(long.recorded?.nextMs).toBe(360 * MINUTE);
  });

  it('stores nothing if the process stops, and leaves the domain to other processes', async () => {
    const stop = new AbortController();
    stop.abort();
    const { recorded, done, ending } = await run({ stop });
    expect({ recorded, done, ending }).toEqual({
      recorded: null,
      done: ['released'],
      ending: { kind: 'again', afterMs: 0 },
    });
  });

  it('is postponed and recorded as a failed job if no process survives it', async () => {
    const { asked, done } = await run({ turn: { ...NEW, begun: 6 } });
    expect(asked).toBeNull();
    expect(done).toEqual(['postponed for 7 days', '5 crawls were begun and none came back']);
    expect((await run({ turn: { ...NEW, begun: 5 } })).asked).toBe(CRAWL_PARTS);
  });
});
