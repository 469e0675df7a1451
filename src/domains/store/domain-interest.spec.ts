import { Logger } from '@nestjs/common';
import type { DomainCrawlProducer } from '../crawl/domain-crawl.queue.js';
import type { CrawlCountsRepository } from './crawl-counts.repository.js';
import { DomainInterest } from './domain-interest.js';
import type { DomainsRepository, DueDomain } from './domains.repository.js';

const DAY = 86_400_000;

function setUp(
  ask?: (domains: readonly string[]) => Promise<readonly DueDomain[]>,
  refuses: (domain: string, account: string) => boolean = () => false,
) {
  const asked: (readonly string[])[] = [];
  const counted: (readonly string[])[] = [];
  const queued: DueDomain[] = [];
  const troubles: unknown[] = [];
  let time = 0;
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(({ err }) => void troubles.push(err));
  const rows = {
    ask: async (domains: readonly string[]) => {
      asked.push(domains);
      return ask?.(domains) ?? domains.map((domain) => ({ domain, first: true }));
    },
  } as unknown as DomainsRepository;
  const counts = {
    admit: async (wanted: ReadonlyMap<string, string>) => {
      counted.push([...wanted.values()]);
      return new Set([...wanted].flatMap(([domain, account]) => (refuses(domain, account) ? [domain] : [])));
    },
  } as unknown as CrawlCountsRepository;
  const queue = { queueCrawls: (due: readonly DueDomain[]) => void queued.push(...due) } as DomainCrawlProducer;
  const interest = new DomainInterest(rows, counts, queue, () => time);
  const later = (ms: number): void => void (time += ms);
  const settled = (): Promise<void> => interest.beforeApplicationShutdown();
  return { interest, asked, counted, queued, troubles, later, settled };
}

afterEach(() => jest.restoreAllMocks());

describe('interest in a domain', () => {
  it('is written in the background, in one batch per event-loop turn, and queues due domains', async () => {
    const { interest, asked, queued, settled } = setUp();
    interest.note('example.com', false, 'a');
    interest.note('example.org', false, 'a');
    interest.note('example.com', false, 'a');
    expect(asked).toEqual([]);
    await settled();
    expect(asked).toEqual([['example.com', 'example.org']]);
    expect(queued.map(({ domain }) => domain)).toEqual(['example.com', 'example.org']);
  });

  it('is written once a day for a domain that has a row', async () => {
    const { interest, asked, later, settled } = setUp();
    for (let hour = 0; hour < 49; hour++) {
      interest.note('example.com', true, 'a');
      await settled();
      later(DAY / 24);
    }
    expect(asked).toHaveLength(3);
  });

  it('is written again within a minute for a domain without a row', async () => {
    const { interest, asked, later, settled } = setUp();
    interest.note('example.com', false, 'a');
    await settled();
    later(59_000);
    interest.note('example.com', false, 'a');
    await settled();
    expect(asked).toHaveLength(1);
    later(2000);
    interest.note('example.com', false, 'a');
    await settled();
    expect(asked).toHaveLength(2);
    later(61_000);
    interest.note('example.com', true, 'a');
    await settled();
    interest.note('example.com', false, 'a');
    await settled();
    expect(asked).toHaveLength(4);
  });

  it('is written in batches, one after the other', async () => {
    const { interest, asked, settled } = setUp();
    for (let i = 0; i < 1200; i++) interest.note(`d${i}.example`, false, 'a');
    await settled();
    expect(asked.map(({ length }) => length)).toEqual([500, 500, 200]);
  });

  it('is bounded; domains beyond the bound are noted at their next call', async () => {
    const { interest, asked, settled } = setUp();
    for (let i = 0; i < 20_010; i++) interest.note(`d${i}.example`, false, 'a');
    await settled();
    expect(asked.flat()).toHaveLength(20_000);
    interest.note('d20005.example', false, 'a');
    await settled();
    expect(asked.at(-1)).toEqual(['d20005.example']);
  });

  it('is dropped for an account that has used up its daily crawls, without affecting others', async () => {
    const { interest, asked, counted, later, settled } = setUp(undefined, (_domain, account) => account === 'greedy');
    interest.note('one.example', false, 'greedy');
    await settled();
    interest.note('two.example', false, 'greedy');
    await settled();
    expect([asked, counted]).toEqual([[], [['greedy']]]);
    interest.note('one.example', false, 'modest');
    await settled();
    expect(asked).toEqual([['one.example']]);
    later(61_000);
    interest.note('two.example', false, 'greedy');
    await settled();
    expect(counted).toEqual([['greedy'], ['modest'], ['greedy']]);
  });

  it('survives a database outage, which is logged once a minute', async () => {
    const { interest, troubles, later, settled, queued } = setUp(() => Promise.reject(new Error('away')));
    for (let i = 0; i < 5; i++) {
      interest.note(`d${i}.example`, false, 'a');
      await settled();
      later(10_000);
    }
    expect([troubles.length, queued.length]).toEqual([1, 0]);
  });
});
