import { createConnection, type Connection } from 'mysql2/promise';
import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { changeBalances } from '../../src/billing/ledger/balance-rows.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import {
  balanceOf,
  chargeOf,
  tally,
  entriesOf,
  makeAccount,
  mismatches,
  openTestBatcher,
  setTestClock,
  TEST_CLOCK,
} from './billing-support.js';

let database: MigratedDatabase;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});
afterAll(() => database.drop());

function batcherOf(options?: Parameters<typeof openTestBatcher>[1]): ChargeBatcher {
  const opened = openTestBatcher(database.target, options);
  open.push(opened);
  return opened.batcher;
}
const charge = (batcher: ChargeBatcher, accountId: string, overrides?: Parameters<typeof chargeOf>[1]) =>
  batcher.charge(chargeOf(accountId, overrides), () => false);

/** Another process that holds the balances of these accounts until it is told to let go. */
async function holder(...accountIds: string[]): Promise<Connection> {
  const connection = await createConnection(database.url);
  open.push({ close: () => connection.end() });
  await connection.query('BEGIN');
  for (const id of accountIds) {
    await connection.query('SELECT 1 FROM account_balances WHERE account_id = ? FOR UPDATE', [idToBytes(id)]);
  }
  return connection;
}

describe('many concurrent charges', () => {
  it('spend the last credit and not one more, each with its own ledger row', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 30, gifted: 20 });
    const batcher = batcherOf();
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => charge(batcher, account)));
    expect(tally(outcomes)).toEqual({ charged: 50, insufficient: 150 });
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 0, gifted: 0 });
    expect(await entriesOf(database.dataSource, account)).toHaveLength(52);
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  });

  it('spend exactly through two batchers, with allowance and credits mixed', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 40 });
    const batchers = [batcherOf(), batcherOf()];
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, i) => charge(batchers[i % 2]!, account, { freeVerifiesPerMonth: 100 })),
    );
    expect(tally(outcomes)).toEqual({ charged: 140, insufficient: 160 });
    const entries = await entriesOf(database.dataSource, account);
    expect(entries.filter(({ free_verifies }) => free_verifies === -1)).toHaveLength(100);
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  });

  it('of many accounts share a transaction without mixing their money', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => makeAccount(database.dataSource, { purchased: i + 1 })),
    );
    const batcher = batcherOf();
    const outcomes = await Promise.all(
      accounts.flatMap((account) => Array.from({ length: 25 }, () => charge(batcher, account))),
    );
    accounts.forEach((_, i) => {
      expect(tally(outcomes.slice(i * 25, (i + 1) * 25))).toMatchObject({ charged: i + 1 });
    });
    for (const account of accounts) expect(await mismatches(database.dataSource, account)).toEqual([]);
  });

  it("across a month end use each month's own allowance exactly", async () => {
    await setTestClock(database.dataSource, '2026-11-30 23:59:59.500');
    const account = await makeAccount(database.dataSource, { purchased: 30 }, TEST_CLOCK);
    const batchers = [batcherOf({ now: TEST_CLOCK }), batcherOf({ now: TEST_CLOCK })];
    const run = (length: number) =>
      Array.from({ length }, (_, i) => charge(batchers[i % 2]!, account, { freeVerifiesPerMonth: 100 }));
    const before = run(110);
    await Promise.all(before);
    const during = run(80);
    await setTestClock(database.dataSource, '2026-12-01 00:00:00.000');
    const outcomes = await Promise.all([...before, ...during, ...run(200)]);
    const entries = await entriesOf(database.dataSource, account);
    const free = (month: number) => entries.filter((row) => row.month === month && row.free_verifies === -1).length;
    expect([free(202611), free(202612)]).toEqual([100, 100]);
    expect(tally(outcomes)).toEqual({ charged: 230, insufficient: 160 });
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 0, month: 202612 });
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  });
});

describe('an account without a balance row', () => {
  it('is charged from its allowance', async () => {
    const account = await makeAccount(database.dataSource);
    const batcher = batcherOf();
    const outcomes = await Promise.all([1, 2, 3].map(() => charge(batcher, account, { freeVerifiesPerMonth: 2 })));
    expect(tally(outcomes)).toEqual({ charged: 2, insufficient: 1 });
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  });

  it('that does not exist fails alone', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 1 });
    const batcher = batcherOf({ maxWaitMs: 500 });
    const [unknown, known] = await Promise.allSettled([charge(batcher, newId()), charge(batcher, account)]);
    expect([unknown?.status, known?.status]).toEqual(['rejected', 'fulfilled']);
  });
});

describe('an account that another process has locked', () => {
  it('delays no other account, and is charged when it is released', async () => {
    const [held, other] = await Promise.all(
      [5, 20].map((purchased) => makeAccount(database.dataSource, { purchased })),
    );
    const process = await holder(held!);
    const batcher = batcherOf();
    const waiting = charge(batcher, held!);
    const began = performance.now();
    for (let i = 0; i < 20; i++) expect(await charge(batcher, other!)).toMatchObject({ kind: 'charged' });
    // A charge that waits for the account waits a second each time.
    expect(performance.now() - began).toBeLessThan(10_000);
    await process.query('COMMIT');
    expect(await waiting).toMatchObject({ kind: 'charged', funds: { purchased: 4 } });
  });

  it('is refused uncharged with Retry-After if the lock lasts too long', async () => {
    const held = await makeAccount(database.dataSource, { purchased: 5 });
    await holder(held);
    const batcher = batcherOf({ maxWaitMs: 500 });
    await expect(charge(batcher, held)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await entriesOf(database.dataSource, held)).toHaveLength(1);
  });

  it('is locked alone: a small table is not scanned', async () => {
    const [mine, yours] = await Promise.all([1, 2].map(() => makeAccount(database.dataSource, { purchased: 5 })));
    const process = await holder(mine!);
    const batcher = batcherOf();
    const held = charge(batcher, mine!);
    expect(await charge(batcher, yours!)).toMatchObject({ kind: 'charged' });
    const third = await holder(yours!);
    await Promise.all([process.query('COMMIT'), third.query('COMMIT')]);
    await held;
  });
});

describe('a group of accounts with the same change', () => {
  it('is updated in one statement that locks no other row, however small the table', async () => {
    const [held, ...paying] = await Promise.all(
      Array.from({ length: 6 }, () => makeAccount(database.dataSource, { purchased: 5 })),
    );
    const other = await holder(held!);
    const { sql, values } = changeBalances(paying, { purchased: -2, gifted: 1, freeVerifiesUsed: 3 });
    const own = await createConnection(database.url);
    open.push({ close: () => own.end() });
    await own.query('SET innodb_lock_wait_timeout = 1');
    await own.query(sql, [...values] as Buffer[]);
    await other.query('COMMIT');
    for (const account of paying) {
      expect(await balanceOf(database.dataSource, account)).toMatchObject({
        purchased: 3,
        gifted: 1,
        free_verifies_used: 3,
      });
    }
    expect(await balanceOf(database.dataSource, held!)).toMatchObject({ purchased: 5, gifted: 0 });
  });
});

describe('a reference', () => {
  it('is charged once, however often and concurrently it is retried', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 5 });
    const batchers = [batcherOf(), batcherOf()];
    const reference = `single:${newId()}`;
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, i) => charge(batchers[i % 2]!, account, { reference })),
    );
    expect(tally(outcomes)).toEqual({ charged: 12 });
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 4 });
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  });
});

describe('a statement that would make a balance negative', () => {
  it("is refused by the table's constraint", async () => {
    const account = await makeAccount(database.dataSource, { purchased: 1 });
    await expect(
      database.dataSource.query('UPDATE account_balances SET purchased = purchased - 2 WHERE account_id = ?', [
        idToBytes(account),
      ]),
    ).rejects.toThrow(/out of range/i);
  });
});
