import { CrawlCountsRepository } from '../../src/domains/store/crawl-counts.repository.js';
import { DomainsRepository } from '../../src/domains/store/domains.repository.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { makeAccount } from './billing-support.js';
import { MOVED_CLOCK, moveClock } from './pending-support.js';

const DAY = 86_400;

let database: MigratedDatabase;
let counts: CrawlCountsRepository;
let domains: DomainsRepository;

beforeAll(async () => {
  database = await createMigratedDatabase();
  counts = new CrawlCountsRepository(database.dataSource, MOVED_CLOCK);
  domains = new DomainsRepository(database.dataSource, MOVED_CLOCK);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await moveClock(database.dataSource, 0);
  await database.dataSource.query('DELETE FROM domains');
  await database.dataSource.query("UPDATE plans SET crawls_per_day = 50 WHERE name = 'free'");
});

const account = (): Promise<string> => makeAccount(database.dataSource);
const names = (count: number, prefix = 'd'): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}.example`);
const asked = (those: readonly string[], by: string) => new Map(those.map((name) => [name, by]));

describe('crawls on behalf of an account', () => {
  it('stop at the limit of its plan with concurrent processes, and do not count crawls of others', async () => {
    const [greedy, other] = [await account(), await account()];
    const refused = await Promise.all(
      Array.from({ length: 8 }, (_, i) => counts.admit(asked(names(20, `${i}-`), greedy))),
    );
    expect(refused.reduce((sum, { size }) => sum + size, 0)).toBe(8 * 20 - 50);
    expect(
      await counts.admit(
        new Map([
          ['a.example', greedy],
          ['b.example', other],
        ]),
      ),
    ).toEqual(new Set(['a.example']));
  });

  it('count only domains that were never crawled', async () => {
    const by = await account();
    await domains.ask(names(80));
    expect((await counts.admit(asked(names(80), by))).size).toBe(0);
    await database.dataSource.query('UPDATE domains SET due_at = NULL');
    expect((await counts.admit(asked(names(80), by))).size).toBe(30);
  });

  it('are counted per day of the database, and old counts are deleted', async () => {
    const by = await account();
    expect((await counts.admit(asked(names(60), by))).size).toBe(10);
    await moveClock(database.dataSource, DAY);
    expect((await counts.admit(asked(names(60), by))).size).toBe(10);
    expect(await counts.deletePast(1)).toBe(1);
    while ((await counts.deletePast(10)) === 10);
    expect(await database.dataSource.query('SELECT used FROM crawl_counts')).toEqual([{ used: 50 }]);
  });

  it('are unlimited on an unlimited plan, and refused for a deleted account', async () => {
    await database.dataSource.query("UPDATE plans SET crawls_per_day = NULL WHERE name = 'free'");
    expect((await counts.admit(asked(names(400), await account()))).size).toBe(0);
    expect((await counts.admit(asked(names(4), newId()))).size).toBe(4);
  });
});
