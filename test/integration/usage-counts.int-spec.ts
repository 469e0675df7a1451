import { UsageCounter } from '../../src/billing/usage/usage-counter.js';
import { UsageCountsRepository } from '../../src/billing/usage/usage-counts.repository.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { makeAccount } from './billing-support.js';
import { purge } from '../support/purge.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database?.drop());

const verdicts = { valid: 2, invalid: 1, catch_all: 0, disposable: 0, role: 0, unknown: 3 };
const NOON = "TIMESTAMP('2026-11-29 12:00:00')";

describe('counts of verdicts', () => {
  it('of many processes at once add up', async () => {
    const { dataSource } = database;
    const account = await makeAccount(dataSource);
    const keyId = newId();
    const processes = Array.from({ length: 8 }, () => new UsageCounter(new UsageCountsRepository(dataSource, NOON)));
    for (const counter of processes) {
      for (let i = 0; i < 5; i++) counter.count({ accountId: account, keyId }, 'single', 'valid');
      counter.count({ accountId: account, keyId }, 'batch', 'role');
    }
    await Promise.all(processes.map((counter) => counter.flush()));
    const found = await new UsageCountsRepository(dataSource, NOON).ofDays(account, 7);
    expect(found.toSorted((a, b) => a.endpoint.localeCompare(b.endpoint))).toMatchObject([
      { day: '2026-11-29', keyId, endpoint: 'batch', verdicts: { valid: 0, role: 8 } },
      { day: '2026-11-29', keyId, endpoint: 'single', verdicts: { valid: 40, role: 0 } },
    ]);
  });

  it('of accounts that are gone are dropped, and those beside them kept', async () => {
    const { dataSource } = database;
    const rows = new UsageCountsRepository(dataSource, NOON);
    const account = await makeAccount(dataSource);
    const gone = newId();
    await rows.add([
      { accountId: gone, keyId: newId(), endpoint: 'job', verdicts },
      { accountId: account, keyId: newId(), endpoint: 'job', verdicts },
    ]);
    await rows.add([{ accountId: gone, keyId: newId(), endpoint: 'job', verdicts }]);
    expect(await rows.ofDays(gone, 90)).toEqual([]);
    expect(await rows.ofDays(account, 90)).toMatchObject([{ verdicts }]);
    await rows.erase(account);
    expect(await rows.ofDays(account, 90)).toEqual([]);
  });

  it('are deleted after thirteen months', async () => {
    const { dataSource } = database;
    const rows = new UsageCountsRepository(dataSource, NOON);
    const account = await makeAccount(dataSource);
    const count = { accountId: account, keyId: newId(), endpoint: 'job', verdicts } as const;
    await rows.add([count], 390);
    await rows.add([count], 400);
    await purge(rows);
    expect((await rows.ofDays(account, 1000)).map(({ day }) => day)).toEqual(['2025-11-04']);
  });
});
