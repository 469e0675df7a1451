import { nothingKnownOf, type DomainFacts } from '../../domains/domain-facts.js';
import type { DomainInterest } from '../../domains/store/domain-interest.js';
import type { DomainsRepository, StoredDomain } from '../../domains/store/domains.repository.js';
import type { EngineProvider } from '../engine/engine-provider.js';
import { DomainRecords } from './domain-records.js';

const knowledge = {
  lists: {
    isAllowListed: () => false,
    isDisposableDomain: (domain: string) => throwAway.has(domain),
    isDisposableMailHost: () => false,
    isFreemail: (domain: string): true | null => (domain === 'free.example' ? true : null),
  },
  findProvider: () => null,
};
let throwAway = new Set<string>();

function facts(domain: string): DomainFacts {
  return { ...nothingKnownOf(domain), mx: true, spf: true, dmarc: false, mailHosts: ['mx.example'], addresses: [] };
}

function setUp(rows: Record<string, StoredDomain>) {
  const reads: (readonly string[])[] = [];
  const noted: string[] = [];
  let time = 0;
  const stored: Pick<DomainsRepository, 'find'> = {
    find: async (domains) => {
      reads.push(domains);
      return new Map(Object.entries(rows).filter(([domain]) => domains.includes(domain)));
    },
  };
  const interest: Pick<DomainInterest, 'note'> = {
    note: (domain, known, account) => noted.push(`${domain} ${known ? 'known' : 'new'} ${account}`),
  };
  const records = new DomainRecords(
    stored as DomainsRepository,
    interest as DomainInterest,
    { knowledge } as unknown as EngineProvider,
    () => time,
  );
  return { records, reads, noted, rows, later: (ms: number): void => void (time += ms) };
}

beforeEach(() => {
  throwAway = new Set();
});

describe('domain records', () => {
  it('are read in one query and judged by today’s lists', async () => {
    const { records, reads } = setUp({
      'free.example': { facts: facts('free.example') },
      'own.example': { facts: facts('own.example') },
      'waiting.example': { facts: null },
    });
    const found = await records.lookUp(
      ['free.example', 'own.example', 'waiting.example', 'new.example', 'own.example'],
      'a',
    );
    expect(reads).toEqual([['free.example', 'own.example', 'waiting.example', 'new.example']]);
    expect([...found.keys()]).toEqual(['free.example', 'own.example']);
    expect(found.get('free.example')).toMatchObject({ types: ['freemail', 'public'], freemail: true, parked: null });
    expect(found.get('own.example')).toMatchObject({ types: ['custom'], freemail: false, facts: facts('own.example') });
  });

  it('are cached for half a minute, missing ones for a second', async () => {
    const { records, reads, rows, later } = setUp({ 'own.example': { facts: facts('own.example') } });
    await records.lookUp(['own.example', 'new.example'], 'a');
    await records.lookUp(['own.example', 'new.example'], 'a');
    expect(reads).toHaveLength(1);
    rows['new.example'] = { facts: facts('new.example') };
    throwAway.add('own.example');
    later(1000);
    expect([...(await records.lookUp(['own.example', 'new.example'], 'a')).keys()]).toEqual([
      'own.example',
      'new.example',
    ]);
    expect(reads.at(-1)).toEqual(['new.example']);
    later(29_500);
    const found = await records.lookUp(['own.example', 'new.example'], 'a');
    expect(reads.at(-1)).toEqual(['own.example']);
    expect(found.get('own.example')?.types).toEqual(['disposable', 'public']);
  });

  it('are queued for a crawl when they are looked up for an account', async () => {
    const { records, noted } = setUp({
      'own.example': { facts: facts('own.example') },
      'waiting.example': { facts: null },
    });
    await records.lookUp(['own.example', 'waiting.example', 'new.example'], 'a');
    await records.lookUp(['own.example'], 'a');
    await records.lookUp(['own.example', 'other.example'], null);
    expect(noted).toEqual([
      'own.example known a',
      'waiting.example known a',
      'new.example new a',
      'own.example known a',
    ]);
  });
});
