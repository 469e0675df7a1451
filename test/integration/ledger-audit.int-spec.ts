import { AuditPointsRepository } from '../../src/billing/ledger/audit-points.repository.js';
import { LedgerAuditRepository } from '../../src/billing/ledger/ledger-audit.repository.js';
import { LedgerClosingRepository } from '../../src/billing/ledger/ledger-closing.repository.js';
import { LedgerClosingTask } from '../../src/billing/ledger/ledger-closing.task.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { balanceOf, makeAccount, setTestClock, TEST_CLOCK } from './billing-support.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database?.drop());
beforeEach(() => setTestClock(database.dataSource, '2026-11-10 12:00:00'));

/** As the daily task does it. @returns the figures that differ */
async function audit(account: string): Promise<string[]> {
  const { mismatches, points } = await new LedgerAuditRepository(database.dataSource).page({ account }, 'last audit');
  await new AuditPointsRepository(database.dataSource).keep(points);
  return mismatches.map(({ figure, kept, ledger }) => `${figure}: ${kept}, ${ledger}`);
}

/** Charges of one address, the first of them paid by the allowance. */
async function charge(accountId: string, count: number, freeVerifiesPerMonth = 0): Promise<void> {
  const ledger = new LedgerRepository(database.dataSource, TEST_CLOCK);
  for (let i = 0; i < count; i++) {
    const price = { addresses: 1, credits: 1, unitPrice: 1 };
    const reference = `job:${newId()}`;
    await database.dataSource.transaction((transaction) =>
      ledger.chargeWithin(transaction, { accountId, keyId: accountId, reference, price, freeVerifiesPerMonth }),
    );
  }
}

const query = (sql: string, account: string) => database.dataSource.query(sql, [idToBytes(account)]);
const account = (): Promise<string> => makeAccount(database.dataSource, { purchased: 100, gifted: 3 }, TEST_CLOCK);
const close = (id: string) => new LedgerClosingRepository(database.dataSource, TEST_CLOCK).close(id, 202611);

/** Rows that the database reads for an audit of one account. */
async function rowsRead(id: string): Promise<number> {
  // The counters belong to a connection.
  const one = await openDatabase(database.target, { poolSize: 1 });
  const handlers = async (): Promise<number> => {
    const rows = await one.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler\\_read%'");
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  };
  const before = await handlers();
  const { points } = await new LedgerAuditRepository(one).page({ account: id }, 'last audit');
  await new AuditPointsRepository(one).keep(points);
  const read = (await handlers()) - before;
  await one.destroy();
  return read;
}

describe('the daily audit', () => {
  it('finds a balance that was changed, before and after it has read the rows', async () => {
    const id = await account();
    await charge(id, 5);
    await query('UPDATE account_balances SET purchased = purchased + 1 WHERE account_id = ?', id);
    expect(await audit(id)).toEqual(['purchased: 99, 98']);
    // It keeps what the rows add up to, not the balance: the difference is found every day.
    expect(await audit(id)).toEqual(['purchased: 99, 98']);
    await query('UPDATE account_balances SET purchased = purchased - 1, gifted = 7 WHERE account_id = ?', id);
    expect(await audit(id)).toEqual(['gifted: 7, 0']);
  });

  it.each([
    ['that is missing', 'DELETE FROM ledger_entries WHERE account_id = ? ORDER BY id DESC LIMIT 1'],
    [
      'that was changed',
      'UPDATE ledger_entries SET purchased = purchased - 1 WHERE account_id = ? ORDER BY id DESC LIMIT 1',
    ],
  ])('finds a new row %s', async (_, change) => {
    const id = await account();
    await charge(id, 5);
    expect(await audit(id)).toEqual([]);
    await charge(id, 2);
    await query(change, id);
    expect(await audit(id)).toHaveLength(1);
  });

  it('finds what was changed in rows that it has read once their month is closed, and the other audits at once', async () => {
    const id = await account();
    await charge(id, 5);
    expect(await audit(id)).toEqual([]);
    await query(
      'UPDATE ledger_entries SET purchased = purchased - 1 WHERE account_id = ? ORDER BY id DESC LIMIT 1',
      id,
    );
    expect(await audit(id)).toEqual([]);
    const ledger = new LedgerAuditRepository(database.dataSource);
    for (const start of ['last closing', 'first row'] as const) {
      expect((await ledger.page({ account: id }, start)).mismatches).toMatchObject([{ kept: 98, ledger: 97 }]);
    }
    await setTestClock(database.dataSource, '2026-12-01 00:10:00');
    await close(id);
    expect(await audit(id)).toEqual(['purchased: 98, 97']);
  });

  it('finds a closing that was changed', async () => {
    const id = await account();
    await charge(id, 5);
    await setTestClock(database.dataSource, '2026-12-02 00:00:00');
    await close(id);
    await charge(id, 2);
    expect(await audit(id)).toEqual([]);
    await query('UPDATE ledger_closings SET purchased = purchased + 1 WHERE account_id = ?', id);
    expect(await audit(id)).toEqual(['purchased: 96, 97']);
  });

  it('counts the free verifies of each month, whenever it runs', async () => {
    const id = await account();
    await charge(id, 4, 3);
    expect(await audit(id)).toEqual([]);
    await setTestClock(database.dataSource, '2026-12-02 00:00:00');
    await close(id);
    expect(await audit(id)).toEqual([]);
    await charge(id, 2, 3);
    expect(await audit(id)).toEqual([]);
    await close(id);
    await charge(id, 3, 3);
    expect(await audit(id)).toEqual([]);
    expect(await balanceOf(database.dataSource, id)).toMatchObject({ month: 202612, free_verifies_used: 3 });
    await query('UPDATE account_balances SET free_verifies_used = 2 WHERE account_id = ?', id);
    expect(await audit(id)).toEqual(['free verifies used: 2, 3']);
  });

  it('agrees while charges go on', async () => {
    const id = await makeAccount(database.dataSource, { purchased: 10_000, gifted: 0 }, TEST_CLOCK);
    const end = new AbortController();
    const charging = (async () => {
      while (!end.signal.aborted) await charge(id, 1);
    })();
    const found: string[] = [];
    for (let times = 0; times < 40; times++) found.push(...(await audit(id)));
    end.abort();
    await charging;
    expect(found).toEqual([]);
  });

  it('reads each row once', async () => {
    const id = await account();
    await charge(id, 40);
    const first = await rowsRead(id);
    const second = await rowsRead(id);
    expect(first - second).toBeGreaterThanOrEqual(40);
    await charge(id, 3);
    expect(await rowsRead(id)).toBeLessThan(second + 20);
  });

  it('keeps nothing of an account that is gone', async () => {
    const id = await account();
    await charge(id, 1);
    const { points } = await new LedgerAuditRepository(database.dataSource).page({ account: id }, 'last audit');
    await query('DELETE FROM account_balances WHERE account_id = ?', id);
    await query('DELETE FROM accounts WHERE id = ?', id);
    await new AuditPointsRepository(database.dataSource).keep(points);
    expect(await query('SELECT * FROM ledger_audit_points WHERE account_id = ?', id)).toEqual([]);
  });
});

describe('closing a month', () => {
  /** Rows of one credit each, some thousands. */
  const addCharges = (id: string, month: number, count: number) =>
    database.dataSource.query(
      `INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted, free_verifies,
          month, created_at)
        WITH RECURSIVE numbers AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
        SELECT ?, 'charge', CONCAT('job:', ?, ':', a.n, ':', b.n), NULL, 1, 1, -1, 0, 0, ?, ${TEST_CLOCK}
        FROM numbers a JOIN numbers b ON b.n < ?`,
      [idToBytes(id), `${id}:${month}`, month, count / 1000],
    );

  it('takes in refunds of an earlier month, and in a second run what was written meanwhile', async () => {
    const id = await account();
    const ledger = new LedgerRepository(database.dataSource, TEST_CLOCK);
    const reference = `job:${newId()}`;
    const price = { addresses: 1, credits: 1, unitPrice: 1 };
    await database.dataSource.transaction((transaction) =>
      ledger.chargeWithin(transaction, { accountId: id, keyId: id, reference, price, freeVerifiesPerMonth: 0 }),
    );
    await setTestClock(database.dataSource, '2026-12-01 00:10:00');
    await close(id);
    await charge(id, 2);
    await database.dataSource.transaction((transaction) =>
      ledger.refundWithin(transaction, reference, [{ part: '0', credits: 1 }]),
    );
    await charge(id, 2);
    const december = () => new LedgerClosingRepository(database.dataSource, TEST_CLOCK).close(id, 202612);
    const closed = () =>
      query(
        `SELECT c.purchased + c.gifted AS credits, c.through_id = MAX(e.id) AS whole FROM ledger_closings c
          JOIN ledger_entries e ON e.account_id = c.account_id WHERE c.account_id = ? AND c.month = 202612`,
        id,
      );
    await december();
    expect(await closed()).toMatchObject([{ credits: '99', whole: 1 }]);
    await charge(id, 1);
    await december();
    expect(await closed()).toMatchObject([{ credits: '98', whole: 1 }]);
    expect(await audit(id)).toEqual([]);
  });

  it('begins anew after a run that was killed between some of its rows and others', async () => {
    const id = await account();
    await addCharges(id, 202611, 12_000);
    await setTestClock(database.dataSource, '2026-12-01 00:10:00');
    let transactions = 0;
    const dying = new Proxy(database.dataSource, {
      get: (target, name) =>
        name === 'transaction' && transactions++ > 0
          ? () => Promise.reject(new Error('killed'))
          : (Reflect.get(target, name) as unknown),
    });
    await expect(new LedgerClosingRepository(dying, TEST_CLOCK).close(id, 202611)).rejects.toThrow('killed');
    const closings = new LedgerClosingRepository(database.dataSource, TEST_CLOCK);
    expect(await closings.unclosed(202611, 100)).toContain(id);
    await new LedgerClosingTask(closings).run(new AbortController().signal);
    const whole = `SELECT c.through_id = MAX(e.id) AS whole FROM ledger_closings c JOIN ledger_entries e
      ON e.account_id = c.account_id WHERE c.account_id = ?`;
    expect(await query(whole, id)).toEqual([{ whole: 1 }]);
  });

  it('adds up many rows some at a time, to the last one of the month', async () => {
    const id = await account();
    const [count, later] = [25_000, 11_000];
    await query(
      `UPDATE ledger_entries SET purchased = ${2 * count} WHERE kind = 'grant' AND purchased > 0 AND account_id = ?`,
      id,
    );
    await addCharges(id, 202611, count);
    const [{ last }] = (await query('SELECT MAX(id) AS last FROM ledger_entries WHERE account_id = ?', id)) as [
      { last: string },
    ];
    await setTestClock(database.dataSource, '2026-12-01 00:10:00');
    await addCharges(id, 202612, later);
    await query(`UPDATE account_balances SET purchased = ${count - later} WHERE account_id = ?`, id);
    await close(id);
    expect(await query('SELECT through_id, purchased, gifted FROM ledger_closings WHERE account_id = ?', id)).toEqual([
      { through_id: last, purchased: String(count), gifted: '3' },
    ]);
    expect(await audit(id)).toEqual([]);
    const ledger = new LedgerAuditRepository(database.dataSource);
    expect((await ledger.page({ account: id }, 'first row')).mismatches).toEqual([]);
  });
});

describe('ledger audit --full', () => {
  it('holds each closing to the rows up to its last one', async () => {
    const id = await account();
    await charge(id, 5);
    await setTestClock(database.dataSource, '2026-12-02 00:00:00');
    await close(id);
    await charge(id, 2);
    await new LedgerClosingRepository(database.dataSource, TEST_CLOCK).close(id, 202612);
    const ledger = new LedgerAuditRepository(database.dataSource);
    expect((await ledger.page({ account: id }, 'first row')).mismatches).toEqual([]);
    await query('UPDATE ledger_closings SET gifted = gifted + 1 WHERE account_id = ? AND month = 202611', id);
    await query('UPDATE ledger_closings SET through_id = through_id - 1 WHERE account_id = ? AND month = 202612', id);
    expect((await ledger.page({ account: id }, 'first row')).mismatches).toMatchObject([
      { figure: 'gifted through 202611', kept: 1, ledger: 0 },
      { figure: 'purchased through 202612', kept: 96, ledger: 97 },
    ]);
  });
});
