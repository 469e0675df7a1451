import { nothingKnownOf, type DomainFacts } from '../../src/domains/domain-facts.js';
import { judgeDomain } from '../../src/domains/judge-domain.js';
import { CrawlTurnsRepository, type CrawlRecord } from '../../src/domains/store/crawl-turns.repository.js';
import { CrawlUpkeepRepository } from '../../src/domains/store/crawl-upkeep.repository.js';
import { DomainsRepository } from '../../src/domains/store/domains.repository.js';
import { loadSignalLists } from '../../src/engine/signals/load-signal-lists.js';
import { findProvider } from '../../src/engine/smtp/providers/find-provider.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { MOVED_CLOCK, moveClock } from './pending-support.js';
import { purge } from '../support/purge.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const DOMAIN = 'example.com';
const facts: DomainFacts = {
  ...nothingKnownOf(DOMAIN),
  mx: true,
  spf: true,
  dmarc: false,
  mailHosts: ['mx.example.com'],
};

let database: MigratedDatabase;
let domains: DomainsRepository;
let turns: CrawlTurnsRepository;
let upkeep: CrawlUpkeepRepository;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const { dataSource } = database;
  domains = new DomainsRepository(dataSource, MOVED_CLOCK);
  turns = new CrawlTurnsRepository(dataSource, MOVED_CLOCK);
  upkeep = new CrawlUpkeepRepository(dataSource, MOVED_CLOCK);
});
afterAll(() => database.drop());
let clock = 0;
beforeEach(async () => {
  clock = 0;
  await moveClock(database.dataSource, 0);
  await database.dataSource.query('DELETE FROM domains');
});

/** Lets time pass. */
async function later(ms: number): Promise<void> {
  clock += ms / 1000;
  await moveClock(database.dataSource, clock);
}
interface Row {
  domain: string;
  open_parts: string;
  begun: number;
  asked_at: Date;
  crawled_at: Date | null;
  due_at: Date | null;
  queue_at: Date | null;
}
const rows = () => database.dataSource.query<Row[]>('SELECT * FROM domains ORDER BY domain');
const due = async (limit = 100) => (await upkeep.takeDue(limit)).map(({ domain, first }) => `${domain} ${first}`);

/** What a crawl without any trouble leaves. */
const CLEAN: CrawlRecord = {
  facts,
  judgement: judgeDomain(facts, { lists: loadSignalLists(), findProvider }),
  openParts: [],
  attempts: 0,
  whole: true,
  nextMs: 7 * DAY,
};

describe('a requested domain', () => {
  it('gets a row, is due at once, and has no facts before it was crawled', async () => {
    expect(await domains.find([DOMAIN])).toEqual(new Map());
    expect(await domains.ask([DOMAIN, 'example.org'])).toEqual([
      { domain: DOMAIN, first: true },
      { domain: 'example.org', first: true },
    ]);
    expect(await domains.find([DOMAIN, 'example.net'])).toEqual(new Map([[DOMAIN, { facts: null }]]));
  });

  it('has one row after concurrent requests', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `d${i}.example`);
    const repository = new DomainsRepository(database.dataSource);
    await Promise.all(Array.from({ length: 8 }, (_, i) => repository.ask(i % 2 === 0 ? names : names.toReversed())));
    expect(await rows()).toHaveLength(50);
  });

  it('is read back as it was crawled', async () => {
    await domains.ask([DOMAIN]);
    expect(await turns.beginCrawl(DOMAIN)).toMatchObject({
      facts: null,
      openParts: '',
      attempts: 0,
      begun: 1,
      ageMs: null,
    });
    await turns.record(DOMAIN, CLEAN);
    expect(await domains.find([DOMAIN])).toEqual(new Map([[DOMAIN, { facts }]]));
    const [row] = await database.dataSource.query<{ judgement: unknown }[]>('SELECT judgement FROM domains');
    const stored: unknown = typeof row?.judgement === 'string' ? JSON.parse(row.judgement) : row?.judgement;
    expect(stored).toMatchObject({ score: CLEAN.judgement?.score, scoreVersion: 1 });
  });
});

describe('a crawl', () => {
  it('starts when it is due, and not again before its next time', async () => {
    expect(await turns.beginCrawl(DOMAIN)).toBeNull();
    await domains.ask([DOMAIN]);
    expect(await turns.beginCrawl(DOMAIN)).toMatchObject({ begun: 1 });
    expect(await turns.beginCrawl(DOMAIN)).toMatchObject({ begun: 2 });
    await turns.record(DOMAIN, CLEAN);
    expect(await turns.beginCrawl(DOMAIN)).toBeNull();
    await later(7 * DAY);
    const turn = await turns.beginCrawl(DOMAIN);
    expect(turn).toMatchObject({ begun: 1, facts });
    expect(turn!.ageMs! / DAY).toBeCloseTo(7, 2);
  });

  it('that left a part open is repeated for it', async () => {
    await domains.ask([DOMAIN]);
    await turns.beginCrawl(DOMAIN);
    await turns.record(DOMAIN, { ...CLEAN, openParts: ['dkim', 'caa'], attempts: 1, nextMs: MINUTE });
    await later(MINUTE);
    expect(await turns.beginCrawl(DOMAIN)).toMatchObject({ openParts: 'dkim,caa', attempts: 1, facts });
    await turns.record(DOMAIN, { ...CLEAN, whole: false, nextMs: DAY });
    const [row] = await rows();
    expect(row).toMatchObject({ open_parts: '', begun: 0 });
    // When all parts were asked for stays as it was.
    expect((row!.due_at!.getTime() - row!.crawled_at!.getTime()) / MINUTE).toBeCloseTo(1441, 0);
  });

  it('that is released is due again, and counts as not begun', async () => {
    await domains.ask([DOMAIN]);
    await turns.beginCrawl(DOMAIN);
    await turns.release(DOMAIN);
    expect(await due()).toEqual([`${DOMAIN} true`]);
    expect(await turns.beginCrawl(DOMAIN)).toMatchObject({ begun: 1 });
  });

  it('that is postponed is not due for that time', async () => {
    await domains.ask([DOMAIN]);
    await turns.beginCrawl(DOMAIN);
    await turns.postpone(DOMAIN, 7 * DAY);
    await later(6 * DAY);
    expect([await due(), await turns.beginCrawl(DOMAIN)]).toEqual([[], null]);
    await later(DAY);
    expect(await due()).toEqual([`${DOMAIN} true`]);
  });

  it('stores nothing for a domain that was deleted meanwhile', async () => {
    await domains.ask([DOMAIN]);
    await turns.beginCrawl(DOMAIN);
    await database.dataSource.query('DELETE FROM domains');
    await turns.record(DOMAIN, CLEAN);
    expect(await rows()).toEqual([]);
  });
});

describe('due domains', () => {
  it('are queued again if they stayed silent, whatever Redis has lost', async () => {
    await domains.ask([DOMAIN]);
    expect(await due()).toEqual([]);
    await later(6 * MINUTE);
    expect(await due()).toEqual([`${DOMAIN} true`]);
    expect(await due()).toEqual([]);
    await later(4 * MINUTE);
    // A worker has it.
    await turns.beginCrawl(DOMAIN);
    await later(2 * MINUTE);
    expect(await due()).toEqual([]);
    await later(4 * MINUTE);
    expect(await due()).toEqual([`${DOMAIN} true`]);
  });

  it('are ordered by their due time, a limited number at once', async () => {
    await domains.ask(['late.example']);
    await later(-10 * MINUTE);
    await domains.ask(['early.example']);
    await later(20 * MINUTE);
    expect(await due(1)).toEqual(['early.example true']);
    expect(await due(1)).toEqual(['late.example true']);
  });

  it('are, after a week, only domains that are still requested', async () => {
    await domains.ask([DOMAIN, 'other.example']);
    for (const domain of [DOMAIN, 'other.example']) {
      await later(1000);
      await turns.beginCrawl(domain);
      await turns.record(domain, CLEAN);
    }
    await later(3 * DAY);
    expect(await domains.ask([DOMAIN])).toEqual([]);
    await later(4 * DAY);
    expect(await due()).toEqual([`${DOMAIN} false`]);
    const asleep = (await rows()).find(({ domain }) => domain === 'other.example');
    expect(asleep).toMatchObject({ due_at: null, queue_at: null });
  });

  it('include a sleeping domain as soon as it is requested', async () => {
    await domains.ask([DOMAIN]);
    await later(1000);
    await turns.beginCrawl(DOMAIN);
    await turns.record(DOMAIN, CLEAN);
    await later(30 * DAY);
    expect([await due(), await turns.beginCrawl(DOMAIN)]).toEqual([[], null]);
    expect(await domains.find([DOMAIN])).toEqual(new Map([[DOMAIN, { facts }]]));
    expect(await domains.ask([DOMAIN])).toEqual([{ domain: DOMAIN, first: false }]);
    expect(await turns.beginCrawl(DOMAIN)).toMatchObject({ facts });
  });

  it('count as the backlog', async () => {
    expect(await upkeep.backlog()).toEqual({ due: 0, oldestDueSeconds: 0 });
    await domains.ask([DOMAIN, 'example.org']);
    await later(30_000);
    await domains.ask(['example.net']);
    const backlog = await upkeep.backlog();
    expect(backlog.due).toBe(3);
    expect(backlog.oldestDueSeconds).toBeGreaterThanOrEqual(30);
    await turns.beginCrawl(DOMAIN);
    await turns.record(DOMAIN, CLEAN);
    expect((await upkeep.backlog()).due).toBe(2);
  });
});

describe('domains that are no longer requested', () => {
  const forget = () => purge(upkeep);

  it('are deleted after 90 days', async () => {
    await domains.ask([DOMAIN, 'other.example']);
    await later(80 * DAY);
    await domains.ask([DOMAIN]);
    await forget();
    expect(await rows()).toHaveLength(2);
    await later(11 * DAY);
    await forget();
    expect((await rows()).map(({ domain }) => domain)).toEqual([DOMAIN]);
  });

  it('are all deleted, in small batches', async () => {
    await database.dataSource.query('INSERT INTO domains (domain, asked_at) VALUES ?', [
      Array.from({ length: 1100 }, (_, i) => [`d${i}.example`, new Date(Date.now() - 91 * DAY)]),
    ]);
    await forget();
    expect(await rows()).toEqual([]);
  });
});
