import { LedgerSumsRepository } from '../../src/billing/statement/ledger-sums.repository.js';
import { UsageCountsRepository } from '../../src/billing/usage/usage-counts.repository.js';
import { ListsRepository } from '../../src/console/lists/lists.repository.js';
import { statusOf } from '../../src/console/lists/to-list-response.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { fault, json } from '../support/cli.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { makeAccount, mismatches } from './billing-support.js';

let database: MigratedDatabase;
const { DATABASE_URL, NODE_ENV } = process.env;
beforeAll(async () => {
  database = await createMigratedDatabase();
  process.env['DATABASE_URL'] = database.url;
});
afterAll(async () => {
  Object.assign(process.env, { DATABASE_URL, NODE_ENV });
  await database?.drop();
});

describe('demo-data', () => {
  it('makes up a month that adds up, once', async () => {
    const { dataSource } = database;
    const account = await makeAccount(dataSource, { gifted: 5 });
    const made = await json<{ calls: number; lists: number; events: number }>('demo-data', account);
    expect(made.calls).toBeGreaterThan(300);
    expect(await mismatches(dataSource, account)).toEqual([]);
    const sums = await new LedgerSumsRepository(dataSource).ofDays(account, 90);
    expect(new Set(sums.map(({ day }) => day)).size).toBeGreaterThanOrEqual(30);
    const usage = await new UsageCountsRepository(dataSource).ofDays(account, 90);
    expect(new Set(usage.map(({ day }) => day)).size).toBe(30);
    const verdicts = usage.flatMap((each) => Object.values(each.verdicts)).reduce((sum, count) => sum + count, 0);
    const paid = sums.map(({ kind, addresses }) => ({ charge: addresses, refund: -addresses })[kind as string] ?? 0);
    expect(verdicts).toBe(paid.reduce((sum, addresses) => sum + addresses, 0));
    const lists = await new ListsRepository(dataSource).list(account, null, 10);
    expect(lists.map(statusOf)).toEqual(Array.from({ length: made.lists }, () => 'completed'));
    const rows = await dataSource.query<{ balance: string }[]>(
      `SELECT SUM(purchased + gifted) OVER (ORDER BY id) AS balance FROM ledger_entries WHERE account_id = ?`,
      [idToBytes(account)],
    );
    expect(rows.filter(({ balance }) => Number(balance) < 0)).toEqual([]);
    // Marked in everything that people read.
    const [marked] = await dataSource.query<Record<string, string>[]>(
      `SELECT (SELECT COUNT(*) FROM ledger_entries WHERE account_id = ? AND reference NOT LIKE '%demo%' AND reference NOT LIKE 'grant:%'
          AND reference NOT LIKE 'job:%') AS entries,
        (SELECT COUNT(*) FROM lists WHERE account_id = ? AND name NOT LIKE '%demo%') AS lists,
        (SELECT COUNT(*) FROM api_keys WHERE account_id = ? AND name NOT LIKE '%demo%') AS api_keys`,
      [1, 2, 3].map(() => idToBytes(account)),
    );
    expect(marked).toEqual({ entries: '0', lists: '0', api_keys: '0' });
    expect(await fault('demo-data', account)).toMatch(/has its demo data already/);
  });

  it('is refused in production, and for accounts that do not exist', async () => {
    expect(await fault('demo-data', newId())).toMatch(/no account has this id/);
    process.env['NODE_ENV'] = 'production';
    expect(await fault('demo-data', newId())).toMatch(/no demo data in production/);
  });
});
