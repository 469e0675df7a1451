import type { DataSource } from 'typeorm';
import { CatchAllRepository } from '../../src/domains/catch-all/catch-all.repository.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

const DAY = 86_400_000;
let database: MigratedDatabase;
let domains: CatchAllRepository;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('DELETE FROM catch_all_domains');
  domains = new CatchAllRepository(database.dataSource);
});
const learn = (domain: string, at = new Date()): Promise<void> =>
  database.dataSource.transaction((manager) => domains.learnWithin(manager, domain, at));
const unlearn = (domain: string, at = new Date()): Promise<void> =>
  database.dataSource.transaction((manager) => domains.unlearnWithin(manager, domain, at));
const known = async (...names: string[]): Promise<string[]> =>
  [...(await domains.findCatchAlls(names)).keys()].toSorted();

describe('domains known as catch-alls', () => {
  it('are known for 30 days, with the time of the check', async () => {
    const checked = new Date(Date.now() - 30 * DAY + 60_000);
    await learn('example.com', checked);
    await learn('example.org', new Date(Date.now() - 30 * DAY - 1000));
    const found = await domains.findCatchAlls(['example.com', 'example.org', 'sub.example.com']);
    expect(found).toEqual(new Map([['example.com', checked]]));
  });

  it('are known longer after a new check, and no shorter after an older one', async () => {
    const [early, late] = [new Date(Date.now() - 10 * DAY), new Date(Date.now() - DAY)];
    for (const at of [early, late, early]) await learn('example.com', at);
    expect(await domains.findCatchAlls(['example.com'])).toEqual(new Map([['example.com', late]]));
    const [row] = await database.dataSource.query<{ expires_at: Date }[]>('SELECT expires_at FROM catch_all_domains');
    expect(row?.expires_at).toEqual(new Date(late.getTime() + 30 * DAY));
  });

  it('are forgotten after a later check that refutes it, not after an older one', async () => {
    const at = new Date(Date.now() - DAY);
    await learn('example.com', at);
    await unlearn('example.com', new Date(at.getTime() - 1));
    expect(await known('example.com')).toEqual(['example.com']);
    await unlearn('example.com');
    expect(await known('example.com')).toEqual([]);
  });

  it('are forgotten after a later check, although the clock of the process that found them was ahead', async () => {
    await learn('example.com', new Date(Date.now() + 30 * DAY));
    await learn('example.org', new Date(Date.now() + 30 * DAY));
    await unlearn('example.com');
    expect(await known('example.com')).toEqual([]);
    const [row] = await database.dataSource.query<{ expires_at: Date }[]>('SELECT expires_at FROM catch_all_domains');
    expect(row?.expires_at.getTime()).toBeLessThan(Date.now() + 31 * DAY);
  });

  it('are written concurrently', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => learn('example.com', new Date(Date.now() - i * 1000))));
    expect(await known('example.com')).toEqual(['example.com']);
  });

  it('are forgotten after a purge', async () => {
    await learn('example.com');
    await learn('example.org');
    await domains.purgeWithin(database.dataSource.manager, 'example.com');
    expect(await known('example.com', 'example.org')).toEqual(['example.org']);
  });

  it('are read once for a hundred callers', async () => {
    const statements: string[] = [];
    const query = (text: string, parameters?: unknown[]): Promise<unknown> => {
      statements.push(text);
      return database.dataSource.query(text, parameters);
    };
    const reader = new CatchAllRepository({ query } as unknown as DataSource);
    await learn('d7.example.com');
    const found = await Promise.all(Array.from({ length: 100 }, (_, i) => reader.findCatchAlls([`d${i}.example.com`])));
    expect(statements).toHaveLength(1);
    expect(found.flatMap((own) => [...own.keys()])).toEqual(['d7.example.com']);
  });

  it('are deleted after they expire, in batches', async () => {
    const over = new Date(Date.now() - 31 * DAY);
    for (const domain of ['a.test', 'b.test', 'c.test']) await learn(domain, over);
    await learn('d.test');
    expect([await domains.deleteExpired(2), await domains.deleteExpired(2), await domains.deleteExpired(2)]).toEqual([
      2, 1, 0,
    ]);
    expect(await known('d.test')).toEqual(['d.test']);
  });
});
