import { Logger } from '@nestjs/common';
import { createConnection, type Connection } from 'mysql2/promise';
import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { WaitingChargesRepository } from '../../src/billing/pending-charges/waiting-charges.repository.js';
import { isLockConflict } from '../../src/platform/database/database-errors.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { waitUntil } from '../support/wait-until.js';
import {
  balanceOf,
  chargeOf,
  entriesOf,
  makeAccount,
  mismatches,
  openTestBatcher,
  setTestClock,
  tally,
  TEST_CLOCK,
  waitingOn,
} from './billing-support.js';

let database: MigratedDatabase;
const open: { close(): Promise<void> }[] = [];
const troubles: string[] = [];
beforeAll(() => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation((what: unknown) => void troubles.push(String(what)));
});
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterEach(async () => {
  troubles.length = 0;
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

/** A list of addresses of one price, all of which wait on one probe or on one each. */
function listOn(probes: string | readonly string[], length: number, unit: 1 | 3 = 1) {
  const waiting = Array.from({ length }, (_, i) => ({
    waitsOn: typeof probes === 'string' ? probes : probes[i]!,
    part: String(i),
    credits: unit,
  }));
  return {
    reference: `batch:${newId()}`,
    price: { addresses: length, credits: length * unit, unitPrice: unit },
    waiting,
  };
}

const repository = (now?: string) => new WaitingChargesRepository(new LedgerRepository(database.dataSource, now), now);
/** Ends a probe without a verdict, in a transaction like that which stores the ending; loses no contest for a lock. */
async function refund(probe: string, now?: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.dataSource.transaction('READ COMMITTED', (transaction) =>
        repository(now).refundWithin(transaction, probe),
      );
    } catch (error) {
      if (!isLockConflict(error) || tries === 5) throw error;
    }
  }
}
const forget = (probe: string): Promise<void> =>
  database.dataSource.transaction('READ COMMITTED', (transaction) => repository().forgetWithin(transaction, probe));

async function refundsOf(account: string): Promise<string[]> {
  const entries = await entriesOf(database.dataSource, account);
  return entries.flatMap(({ kind, reference }) => (kind === 'refund' ? [reference] : []));
}
async function expectBooksRight(...accounts: string[]): Promise<void> {
  for (const account of accounts) expect(await mismatches(database.dataSource, account)).toEqual([]);
}

describe('a charge with waiting parts', () => {
  it('stores them in its transaction, whatever pays', async () => {
    const [rich, free] = await Promise.all([
      makeAccount(database.dataSource, { purchased: 9 }),
      makeAccount(database.dataSource),
    ]);
    const [batcher, probe] = [batcherOf(), newId()];
    const [one, other] = [listOn(probe, 2), listOn(probe, 2)];
    await Promise.all([charge(batcher, rich, one), charge(batcher, free, { ...other, freeVerifiesPerMonth: 2 })]);
    const parts = [one, other].flatMap(({ reference }) => [`${reference}:0`, `${reference}:1`]);
    expect(await waitingOn(database.dataSource, probe)).toEqual(parts.toSorted());
  });

  it('stores none if it is refused', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 2 });
    const [batcher, probe] = [batcherOf(), newId()];
    const same = listOn(probe, 1);
    const outcomes = [
      await charge(batcher, account, listOn(probe, 3)),
      await batcher.charge(chargeOf(account, listOn(probe, 1)), () => true),
      await charge(batcher, account, same),
      // Looked up, not made again.
      await charge(batcher, account, same),
    ];
    expect(outcomes.map(({ kind }) => kind)).toEqual(['insufficient', 'withdrawn', 'charged', 'charged']);
    expect(await waitingOn(database.dataSource, probe)).toEqual([`${same.reference}:0`]);
  });

  it('fails alone if a row of its parts cannot be written', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 9 });
    const [batcher, probe] = [batcherOf(), newId()];
    const broken = { ...listOn(probe, 2), waiting: [{ waitsOn: probe, part: 'x'.repeat(41), credits: 1 }] };
    const [bad, good] = await Promise.allSettled([
      charge(batcher, account, broken),
      charge(batcher, account, listOn(probe, 1)),
    ]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 8 });
    expect(await waitingOn(database.dataSource, probe)).toHaveLength(1);
    await expectBooksRight(account);
  });
});

describe('a probe that ends without a verdict', () => {
  it('refunds every account that waits for it, once', async () => {
    const [probe, other] = [newId(), newId()];
    const accounts = await Promise.all(
      [1, 2, 3].map(() => makeAccount(database.dataSource, { purchased: 10, gifted: 2 })),
    );
    const batcher = batcherOf();
    const list = listOn([probe, other, probe], 3);
    await charge(batcher, accounts[0]!, list);
    await charge(batcher, accounts[1]!, listOn(probe, 1, 3));
    await charge(batcher, accounts[2]!, listOn(other, 1));
    expect(await refund(probe)).toBe(3);
    expect(await refund(probe)).toBe(0);
    expect(await refundsOf(accounts[0]!)).toEqual([`${list.reference}:0`, `${list.reference}:2`]);
    const left = await Promise.all(accounts.map((account) => balanceOf(database.dataSource, account)));
    expect(left).toMatchObject([
      { purchased: 10, gifted: 1 },
      { purchased: 10, gifted: 2 },
      { purchased: 10, gifted: 1 },
    ]);
    expect(await waitingOn(database.dataSource, probe)).toEqual([]);
    expect(await waitingOn(database.dataSource, other)).toHaveLength(2);
    await expectBooksRight(...accounts);
  });

  it('returns free verifies to their own month', async () => {
    await setTestClock(database.dataSource, '2026-10-31 12:00:00');
    const account = await makeAccount(database.dataSource, {}, TEST_CLOCK);
    const batcher = batcherOf({ now: TEST_CLOCK });
    const [first, second] = [newId(), newId()];
    const list = { ...listOn([first, first, second], 3, 3), freeVerifiesPerMonth: 5 };
    await charge(batcher, account, list);
    expect(await refund(first, TEST_CLOCK)).toBe(2);
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ month: 202610, free_verifies_used: 1 });
    await setTestClock(database.dataSource, '2026-11-01 00:00:01');
    await charge(batcher, account, { ...listOn(newId(), 4), freeVerifiesPerMonth: 5 });
    expect(await refund(second, TEST_CLOCK)).toBe(1);
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ month: 202611, free_verifies_used: 4 });
    expect((await entriesOf(database.dataSource, account)).at(-1)).toMatchObject({ free_verifies: 1, month: 202610 });
    await expectBooksRight(account);
  });

  it('returns free verifies to a past month before any charge in the next', async () => {
    await setTestClock(database.dataSource, '2026-10-31 12:00:00');
    const account = await makeAccount(database.dataSource, {}, TEST_CLOCK);
    const batcher = batcherOf({ now: TEST_CLOCK });
    const probe = newId();
    await charge(batcher, account, { ...listOn(probe, 3), freeVerifiesPerMonth: 5 });
    await setTestClock(database.dataSource, '2026-11-01 00:00:01');
    expect(await refund(probe, TEST_CLOCK)).toBe(3);
    await expectBooksRight(account);
    await charge(batcher, account, { ...listOn(newId(), 4), freeVerifiesPerMonth: 5 });
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ month: 202611, free_verifies_used: 4 });
    await expectBooksRight(account);
  });

  it('skips what was refunded otherwise', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 9 });
    const [batcher, probe] = [batcherOf(), newId()];
    const list = listOn(probe, 3);
    await charge(batcher, account, list);
    const ledger = new LedgerRepository(database.dataSource);
    await database.dataSource.transaction('READ COMMITTED', (transaction) =>
      ledger.refundWithin(transaction, list.reference, [{ part: '1', credits: 1 }]),
    );
    expect(await refund(probe)).toBe(2);
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 9 });
    await expectBooksRight(account);
  });

  it('logs and deletes an invalid row, and continues', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 9 });
    const [batcher, probe] = [batcherOf(), newId()];
    const [good, dear] = [listOn(probe, 1), listOn(probe, 1)];
    await charge(batcher, account, good);
    await charge(batcher, account, { ...dear, waiting: [{ waitsOn: probe, part: '0', credits: 5 }] });
    await database.dataSource.query(
      "INSERT INTO waiting_charges (waits_on, reference, part, credits, created_at) VALUES (?, 'batch:never made', '0', 1, UTC_TIMESTAMP(3))",
      [idToBytes(probe)],
    );
    expect(await refund(probe)).toBe(1);
    expect(troubles).toHaveLength(2);
    expect(await waitingOn(database.dataSource, probe)).toEqual([]);
    await expectBooksRight(account);
  });

  it('refunds hundreds of calls at once', async () => {
    const accounts = await Promise.all([1, 2].map(() => makeAccount(database.dataSource, { purchased: 1000 })));
    const [batcher, probe] = [batcherOf(), newId()];
    await Promise.all(Array.from({ length: 250 }, (_, i) => charge(batcher, accounts[i % 2]!, listOn(probe, 2))));
    expect(await refund(probe)).toBe(500);
    for (const account of accounts) {
      expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 1000 });
    }
    expect(await waitingOn(database.dataSource, probe)).toEqual([]);
    await expectBooksRight(...accounts);
  });

  it('is rolled back whole if its transaction fails', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 9 });
    const [batcher, probe] = [batcherOf(), newId()];
    await charge(batcher, account, listOn(probe, 2));
    const failing = database.dataSource.transaction('READ COMMITTED', async (transaction) => {
      await repository().refundWithin(transaction, probe);
      throw new Error('the ending could not be stored');
    });
    await expect(failing).rejects.toThrow('could not be stored');
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 7 });
    expect(await waitingOn(database.dataSource, probe)).toHaveLength(2);
    await expectBooksRight(account);
  });
});

describe('a probe that ends with a verdict', () => {
  it('deletes its waiting parts and refunds nothing', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 9 });
    const [batcher, probe] = [batcherOf(), newId()];
    await charge(batcher, account, listOn(probe, 2));
    await forget(probe);
    expect(await waitingOn(database.dataSource, probe)).toEqual([]);
    expect(await refund(probe)).toBe(0);
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 7 });
  });
});

describe('a charge that comes after the end of its probe', () => {
  /** A batcher's transaction that has written everything and has not ended. */
  async function uncommitted(account: string, list: ReturnType<typeof listOn>): Promise<Connection> {
    const connection = await createConnection(database.url);
    open.push({ close: () => connection.end() });
    await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
    await connection.query('BEGIN');
    const id = idToBytes(account);
    await connection.query('SELECT 1 FROM account_balances WHERE account_id = ? FOR UPDATE', [id]);
    await connection.query('UPDATE account_balances SET purchased = purchased - 1 WHERE account_id = ?', [id]);
    await connection.query(
      `INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted,
        free_verifies, month, created_at) VALUES (?, 'charge', ?, ?, 1, 1, -1, 0, 0, 202611, UTC_TIMESTAMP(3))`,
      [id, list.reference, id],
    );
    await connection.query(
      "INSERT INTO waiting_charges (waits_on, reference, part, credits, created_at) VALUES (?, ?, '0', 1, UTC_TIMESTAMP(3))",
      [idToBytes(list.waiting[0]!.waitsOn), list.reference],
    );
    return connection;
  }

  /** Whether somebody waits for a balance. */
  async function isLocking(): Promise<boolean> {
    const rows = await database.dataSource.query<unknown[]>(
      `SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()
        AND INFO LIKE '%FROM account_balances FORCE INDEX%FOR UPDATE%'`,
    );
    return rows.length > 0;
  }

  it('keeps its part, which is found and refunded later', async () => {
    const [early, late] = await Promise.all([1, 2].map(() => makeAccount(database.dataSource, { purchased: 5 })));
    const [batcher, probe] = [batcherOf(), newId()];
    await charge(batcher, early!, listOn(probe, 1));
    const list = listOn(probe, 1);
    const connection = await uncommitted(late!, list);
    // It does not wait for what is under way: that is of another account, and nobody knows of it yet.
    expect(await refund(probe)).toBe(1);
    await connection.query('COMMIT');
    expect(await waitingOn(database.dataSource, probe)).toEqual([`${list.reference}:0`]);
    expect(await repository().waitedOn(database.dataSource, 0, 1000)).toContain(probe);
    expect(await refund(probe)).toBe(1);
    expect(await balanceOf(database.dataSource, late!)).toMatchObject({ purchased: 5 });
    await expectBooksRight(early!, late!);
  });

  it('runs beside a refund of the same account', async () => {
    const account = await makeAccount(database.dataSource, { purchased: 5 });
    const [batcher, probe] = [batcherOf(), newId()];
    await charge(batcher, account, listOn(probe, 1));
    const connection = await uncommitted(account, listOn(probe, 1));
    const ending = refund(probe);
    expect(await waitUntil(isLocking, { ms: 60_000 })).toBe(true);
    await connection.query('COMMIT');
    expect(await ending).toBe(2);
    expect(await waitingOn(database.dataSource, probe)).toEqual([]);
    await expectBooksRight(account);
  });
});

describe('waiting parts', () => {
  it('are listed by age, in pages', async () => {
    await setTestClock(database.dataSource, '2026-10-15 12:00:00');
    const account = await makeAccount(database.dataSource, { purchased: 100 }, TEST_CLOCK);
    const batcher = batcherOf({ now: TEST_CLOCK });
    const old = Array.from({ length: 5 }, newId);
    for (const probe of old) await charge(batcher, account, listOn(probe, 3));
    await setTestClock(database.dataSource, '2026-10-15 12:00:30');
    const young = newId();
    await charge(batcher, account, listOn(young, 1));
    const waiting = repository(TEST_CLOCK);
    const found: string[] = [];
    for (;;) {
      const page = await waiting.waitedOn(database.dataSource, 20, 2, found.at(-1));
      expect(page.length).toBeLessThanOrEqual(2);
      if (page.length === 0) break;
      found.push(...page);
    }
    expect(found.filter((id) => old.includes(id))).toEqual(old);
    expect(found).not.toContain(young);
    expect(await waiting.waitedOn(database.dataSource, 0, 1000)).toContain(young);
  });
});

it('many probes end while two processes charge the same accounts: every part is refunded once', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 6 }, () => makeAccount(database.dataSource, { purchased: 200, gifted: 50 })),
  );
  const probes = Array.from({ length: 12 }, newId);
  const batchers = [batcherOf(), batcherOf()];
  const pick = (i: number): string => accounts[(i * 7) % accounts.length]!;
  const charging = Promise.all(
    Array.from({ length: 240 }, (_, i) => {
      const own = [probes[i % 12]!, probes[(i * 5 + 1) % 12]!, probes[(i * 3 + 2) % 12]!];
      return charge(batchers[i % 2]!, pick(i), listOn(own, 3));
    }),
  );
  // From two processes at once, in different orders.
  const endings = [probes, probes.toReversed()].map(async (order) => {
    let refunded = 0;
    for (const probe of order) refunded += await refund(probe);
    return refunded;
  });
  const outcomes = await charging;
  let refunded = (await Promise.all(endings)).reduce((sum, each) => sum + each, 0);
  for (const probe of probes) refunded += await refund(probe);
  expect(tally(outcomes)).toEqual({ charged: 240 });
  expect(refunded).toBe(720);
  for (const account of accounts) {
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 200, gifted: 50 });
  }
  expect(troubles).toEqual([]);
  await expectBooksRight(...accounts);
});
