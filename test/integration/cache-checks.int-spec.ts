import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { CheckFacts } from '../../src/engine/check.js';
import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import { isLockConflict } from '../../src/platform/database/database-errors.js';
import { AddressVault } from '../../src/verify/address-vault/address-vault.js';
import type { CachedCheck } from '../../src/verify/cache/cached-check.js';
import { CheckCacheRepository } from '../../src/verify/cache/check-cache.repository.js';
import { checkFacts, probeFacts, refusal } from '../factories/check-facts.js';
import { ProbeBench } from '../smtp/support/probe-bench.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

let database: MigratedDatabase;
let cache: CheckCacheRepository;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('DELETE FROM cached_checks');
  cache = new CheckCacheRepository(database.dataSource, new AddressVault([{ id: 7, key: 'the key of this test' }]));
});

const NOON = Date.parse('2026-11-28T12:00:00.123Z');
/** The hash of the address with this number. */
const hashOf = (number: number): string => number.toString(16).padStart(64, '0');
const greylisted = checkFacts(refusal('greylisted', 451, 'server'));

interface Given extends Partial<CachedCheck> {
  readonly number?: number;
  /** Seconds after noon. */
  readonly at?: number;
  readonly lifeSeconds?: number;
}

function check({ number = 1, at = 0, lifeSeconds = 3600, ...over }: Given = {}): CachedCheck {
  const checkedAt = new Date(NOON + at * 1000);
  const expiresAt = new Date(checkedAt.getTime() + lifeSeconds * 1000);
  const known = { hash: hashOf(number), domain: 'example.com', facts: checkFacts(), engineVersion: 1 };
  return { ...known, depth: 'standard', checkedAt, expiresAt, ...over };
}

/** In a transaction of its own, as the code that records a check does; again after a lost contest for a lock. */
async function store(...checks: CachedCheck[]): Promise<void> {
  try {
    await database.dataSource.transaction('READ COMMITTED', (manager) => cache.storeWithin(manager, checks));
  } catch (error) {
    if (!isLockConflict(error)) throw error;
    await store(...checks);
  }
}
const found = async (number = 1): Promise<CachedCheck | undefined> =>
  (await cache.findByHash([hashOf(number)])).get(hashOf(number));

/** A view of the database that counts. */
function counted(): { dataSource: DataSource; statements: string[] } {
  const statements: string[] = [];
  const query = (text: string, parameters?: unknown[]): Promise<unknown> => {
    statements.push(text);
    return database.dataSource.query(text, parameters);
  };
  return { dataSource: { query } as never, statements };
}

describe('cached checks', () => {
  it('are read back as they were stored, whatever the facts', async () => {
    const checks = [
      check({ number: 1, depth: 'enhanced', facts: checkFacts(probeFacts({ random: 'inconclusive' })) }),
      check({ number: 2, facts: greylisted, lifeSeconds: 840 }),
      check({ number: 3, depth: 'dns', facts: checkFacts(null, { kind: 'none', why: 'null_mx', ttlSeconds: 60 }) }),
      check({ number: 4, depth: 'dns', facts: checkFacts(null, { kind: 'broken', why: 'servfail "\\ \u00fc' }) }),
      check({ number: 5, engineVersion: 0, domain: `${'a'.repeat(63)}.xn--mller-kva.test` }),
    ];
    await store(...checks);
    const read = await cache.findByHash(checks.map(({ hash }) => hash));
    expect([...read.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))).toEqual(checks);
    expect(await cache.findByHash([hashOf(99)])).toEqual(new Map());
    const [row] = await database.dataSource.query<{ hmac_key: number }[]>('SELECT hmac_key FROM cached_checks LIMIT 1');
    expect(row?.hmac_key).toBe(7);
  });

  it('are read long after they expired: the caller judges their age', async () => {
    const old = check({ at: -365 * 86_400 });
    await store(old);
    expect(await found()).toEqual(old);
  });

  it('are found under an older key after a key change', async () => {
    const address = { localPart: 'ann', domain: 'example.com' };
    const old = new AddressVault([{ id: 1, key: 'the key of last year' }]);
    const rotated = new AddressVault([
      { id: 2, key: 'the key of this year' },
      { id: 1, key: 'the key of last year' },
    ]);
    await store(check({ hash: old.hash(address) }));
    const read = await cache.findByHash(rotated.hashes(address));
    expect([...read.keys()]).toEqual([old.hash(address)]);
  });
});

describe('storing', () => {
  const accepted = { facts: checkFacts() };
  const transient = { facts: greylisted, lifeSeconds: 840 };
  const broken: CheckFacts = checkFacts(null, { kind: 'broken', why: 'servfail' });
  const IN_AN_HOUR = (Date.now() - NOON) / 1000 + 3600;
  it.each<[string, Given, Given, 'first' | 'second']>([
    ['a later check replaces', { ...accepted, at: 0 }, { ...transient, at: 1 }, 'second'],
    ['an older check does not', { ...accepted, at: 0.001 }, { ...accepted, at: 0, engineVersion: 9 }, 'first'],
    ['nor an older one that is deeper', { ...accepted, at: 1 }, { ...accepted, at: 0, depth: 'enhanced' }, 'first'],
    ['but one of the future, from a clock that was ahead', { ...transient, at: IN_AN_HOUR }, { ...accepted }, 'second'],
    ['one of the same moment replaces', { ...accepted }, { ...accepted, engineVersion: 2 }, 'second'],
    ['a passing difficulty leaves a deeper check', { depth: 'enhanced' }, { ...transient, at: 1 }, 'first'],
    ['broken DNS leaves a probe', {}, { facts: broken, depth: 'dns', at: 1 }, 'first'],
    ['a passing difficulty replaces one as deep', {}, { ...transient, at: 1 }, 'second'],
    ['a passing difficulty replaces a shallower check', {}, { ...transient, depth: 'enhanced', at: 1 }, 'second'],
    [
      'a passing difficulty replaces a deeper check that is over',
      { depth: 'enhanced', lifeSeconds: 60 },
      { ...transient, at: 60 },
      'second',
    ],
    ['but not a moment sooner', { depth: 'enhanced', lifeSeconds: 60 }, { ...transient, at: 59.999 }, 'first'],
    ['a settled check replaces a deeper one', { depth: 'enhanced' }, { ...accepted, at: 1 }, 'second'],
  ])('%s', async (_, first, second, stands) => {
    const [one, other] = [check(first), check({ domain: 'example.org', ...second })];
    await store(one);
    await store(other);
    // The whole row or nothing of it.
    expect(await found()).toEqual(stands === 'first' ? one : other);
  });

  it('stores many checks at once, each by its own rule', async () => {
    await store(check({ number: 1, at: 10 }), check({ number: 2, depth: 'enhanced' }), check({ number: 3 }));
    const again = [4, 3, 2, 1].map((number) => check({ number, at: 5, ...(number === 2 ? transient : {}) }));
    await store(...again);
    const at = await Promise.all([1, 2, 3, 4].map(async (number) => (await found(number))?.checkedAt.getTime()));
    expect(at).toEqual([10, 0, 5, 5].map((seconds) => NOON + seconds * 1000));
  });

  it('is rolled back with its transaction', async () => {
    const failing = database.dataSource.transaction(async (manager) => {
      await cache.storeWithin(manager, [check()]);
      throw new Error('the ending could not be stored');
    });
    await expect(failing).rejects.toThrow('the ending could not be stored');
    expect(await found()).toBeUndefined();
  });

  it('leaves the latest check of each address after concurrent stores', async () => {
    const moments = Array.from({ length: 40 }, (_, i) => (i * 17) % 40);
    const writes = moments.map((at) =>
      store(...[3, 1, 2].map((number) => check({ number, at, engineVersion: at + 1, ...(at % 2 ? transient : {}) }))),
    );
    await Promise.all(writes);
    for (const number of [1, 2, 3]) {
      expect(await found(number)).toEqual(check({ number, at: 39, engineVersion: 40, ...transient }));
    }
  });
});

describe('reading', () => {
  it('runs one query for a hundred callers', async () => {
    const { dataSource, statements } = counted();
    const reader = new CheckCacheRepository(dataSource);
    await store(...Array.from({ length: 100 }, (_, number) => check({ number })));
    const reads = await Promise.all(Array.from({ length: 100 }, (_, number) => reader.findByHash([hashOf(number)])));
    expect(statements).toHaveLength(1);
    expect(reads.map((read) => [...read.keys()])).toEqual(reads.map((_, number) => [hashOf(number)]));
  });

  it('runs one query for a list of a hundred under two keys', async () => {
    const { dataSource, statements } = counted();
    const hashes = Array.from({ length: 200 }, (_, number) => hashOf(number));
    await store(check({ number: 150 }));
    expect([...(await new CheckCacheRepository(dataSource).findByHash(hashes)).keys()]).toEqual([hashOf(150)]);
    expect(statements).toHaveLength(1);
  });

  it('ignores an unreadable row, logs that once a minute, and lets it be replaced', async () => {
    const lines: unknown[][] = [];
    const silent = (): void => undefined;
    const warn = (...line: unknown[]): void => void lines.push(line);
    Logger.overrideLogger({ log: silent, error: silent, warn });
    try {
      await store(check({ number: 1 }), check({ number: 2 }), check({ number: 3 }));
      const damage = `UPDATE cached_checks SET facts = '{"mailHosts":{"kind":"moved"},"probe":null}' WHERE address_hmac <> ?`;
      await database.dataSource.query(damage, [Buffer.from(hashOf(3), 'hex')]);
      const all = [1, 2, 3].map(hashOf);
      expect([...(await cache.findByHash(all)).keys()]).toEqual([hashOf(3)]);
      await cache.findByHash(all);
      expect(lines.map(([fields]) => fields)).toEqual([{ rows: 1 }]);
      expect(JSON.stringify(lines)).not.toContain(hashOf(1));
      const again = check({ number: 1, at: 1 });
      await store(again);
      expect(await found(1)).toEqual(again);
    } finally {
      Logger.overrideLogger(false);
    }
  });

  it('throws service_unavailable while the database is down', async () => {
    const down = { query: () => Promise.reject(new Error('connection lost')) } as unknown as DataSource;
    await expect(new CheckCacheRepository(down).findByHash([hashOf(1)])).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });
});

describe('the table', () => {
  it('contains no address or local part, even if mail hosts repeat it', async () => {
    const vault = new AddressVault([{ id: 7, key: 'a key of the test, long enough' }]);
    const localParts = ['ann.secret', 'zoë+private'];
    const bench = await ProbeBench.start({
      greeting: '220 mx.example.test welcomes ann.secret@example.com',
      rcpt: '451 4.7.1 <ann.secret@example.com> zoë+private@example.com greylisted, come back in 300 seconds',
    });
    try {
      for (const localPart of localParts) {
        const probe = await bench.facts(`${localPart}@example.com`, { classify: classifyReply, randomRecipient: true });
        const hash = vault.hash({ localPart, domain: 'example.com' });
        await store(check({ hash, facts: checkFacts(probe) }));
      }
    } finally {
      await bench.stop();
    }
    const rows = await database.dataSource.query<Record<string, unknown>[]>('SELECT * FROM cached_checks');
    expect(rows).toHaveLength(2);
    const dump = rows
      .flatMap((row) => Object.values(row))
      .map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : JSON.stringify(cell)))
      .join('\n');
    expect(dump).toContain('example.com');
    expect(dump).not.toContain('@');
    for (const text of [...localParts, 'secret', 'private']) {
      expect(dump).not.toContain(text);
      expect(dump).not.toContain(Buffer.from(text).toString('hex'));
    }
  });
});

describe('deleting', () => {
  const batches = (statements: readonly string[]): number =>
    statements.filter((text) => text.startsWith('DELETE')).length;
  const left = async (): Promise<number> =>
    Number((await database.dataSource.query<{ n: string }[]>('SELECT COUNT(*) AS n FROM cached_checks'))[0]!.n);

  it('purges one domain in small batches', async () => {
    const many = Array.from({ length: 1200 }, (_, number) => check({ number }));
    await store(
      ...many,
      check({ number: 5000, domain: 'sub.example.com' }),
      check({ number: 5001, domain: 'example.org' }),
    );
    const { dataSource, statements } = counted();
    expect(await new CheckCacheRepository(dataSource).purgeDomain('example.com')).toBe(1200);
    expect(batches(statements)).toBe(3);
    expect(await left()).toBe(2);
    expect(await cache.purgeDomain('example.com')).toBe(0);
  });

  it('deletes checks that expired 90 days ago in small batches, and no younger ones', async () => {
    const day = 86_400_000;
    const expired = (number: number, ago: number): CachedCheck => {
      const expiresAt = new Date(Date.now() - ago);
      return check({ number, checkedAt: new Date(expiresAt.getTime() - day), expiresAt });
    };
    const old = Array.from({ length: 700 }, (_, number) => expired(number, 90 * day + 60_000 + number));
    await store(...old, expired(5000, 90 * day - 60_000), expired(5001, -day));
    const { dataSource, statements } = counted();
    const repository = new CheckCacheRepository(dataSource);
    expect([await repository.deleteOld(500), await repository.deleteOld(500), await repository.deleteOld(500)]).toEqual(
      [500, 200, 0],
    );
    expect(batches(statements)).toBe(2);
    expect(await left()).toBe(2);
  });
});
