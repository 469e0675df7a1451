import { createConnection, type Connection } from 'mysql2/promise';
import type { DataSource, EntityManager } from 'typeorm';
import { ChargeRepository } from '../../src/billing/charging/charge.repository.js';
import type { Charge, ChargeAttempt } from '../../src/billing/charging/charge.js';
import { IdempotencyRepository } from '../../src/billing/idempotency/idempotency.repository.js';
import { LedgerAuditRepository } from '../../src/billing/ledger/ledger-audit.repository.js';
import { LedgerClosingRepository } from '../../src/billing/ledger/ledger-closing.repository.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { WaitingChargesRepository } from '../../src/billing/pending-charges/waiting-charges.repository.js';
import { PacketConnection } from '../../src/platform/database/packet-connection.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { waitUntil } from '../support/wait-until.js';
import { balanceOf, chargeOf, entriesOf, makeAccount, mismatches, waitingOn } from './billing-support.js';

let database: MigratedDatabase;
const open: (() => unknown)[] = [];
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterEach(() => Promise.all(open.splice(0).map((close) => close())));
afterAll(() => database.drop());

/** Transactions like those of the batchers, one after the other. */
function charges(
  whenHeld: 'skip' | 'wait' = 'wait',
): (...attempts: (Charge | ChargeAttempt)[]) => ReturnType<ChargeRepository['charge']> {
  const session = ['SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'];
  const connection = new PacketConnection(database.target, { silenceMs: 60_000, session });
  open.push(() => connection.drop());
  const repository = new ChargeRepository(connection, { whenHeld, answerHours: 24 });
  return (...attempts) =>
    repository.charge(
      attempts.map((each) => ('intent' in each ? each : { charge: each, mayStand: false, intent: 'charge' })),
    );
}

/** Another process in the middle of a transaction: it has done this, and commits when it is told to. */
async function uncommitted(...statements: [sql: string, values: unknown[]][]): Promise<Connection> {
  const connection = await createConnection(database.url);
  open.push(() => connection.end());
  await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await connection.query('BEGIN');
  for (const [sql, values] of statements) await connection.query(sql, values);
  return connection;
}

const locking = (account: string): [string, unknown[]] => [
  'SELECT 1 FROM account_balances WHERE account_id = ? FOR UPDATE',
  [idToBytes(account)],
];
/** A charge or refund of one purchased credit. */
const moving = (account: string, kind: 'charge' | 'refund', reference: string): [string, unknown[]][] => [
  locking(account),
  [
    `UPDATE account_balances SET purchased = purchased ${kind === 'charge' ? '-' : '+'} 1 WHERE account_id = ?`,
    [idToBytes(account)],
  ],
  [
    `INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted,
      free_verifies, month, created_at)
      SELECT ?, ?, ?, NULL, 1, 1, ?, 0, 0, EXTRACT(YEAR_MONTH FROM UTC_TIMESTAMP()), UTC_TIMESTAMP(3)`,
    [idToBytes(account), kind, reference, kind === 'charge' ? -1 : 1],
  ],
];

/** Waits until another process waits for a row of this table. */
async function untilBlocked(table: 'account_balances' | 'idempotency_records'): Promise<void> {
  const isBlocked = async (): Promise<boolean> => {
    const rows = await database.dataSource.query<unknown[]>(
      `SELECT 1 FROM information_schema.PROCESSLIST
        WHERE DB = DATABASE() AND ID <> CONNECTION_ID() AND COMMAND = 'Query' AND INFO LIKE ?`,
      [`%${table}%`],
    );
    return rows.length > 0;
  };
  expect(await waitUntil(isBlocked, { ms: 60_000 })).toBe(true);
}

const rich = (): Promise<string> => makeAccount(database.dataSource, { purchased: 10 });
const inTransaction = <T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> =>
  database.dataSource.transaction('READ COMMITTED', work);
const ledger = (): LedgerRepository => new LedgerRepository(database.dataSource);
const refund = (probe: string, references?: ReadonlySet<string>): Promise<number> =>
  inTransaction((transaction) => new WaitingChargesRepository(ledger()).refundWithin(transaction, probe, references));

/** A charge of one address that waits on a probe. */
const waitingOf = (account: string, probe: string): Charge =>
  chargeOf(account, { waiting: [{ waitsOn: probe, part: '0', credits: 1 }] });

async function expectBooks(account: string, purchased: number, kinds: string): Promise<void> {
  expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased });
  expect((await entriesOf(database.dataSource, account)).map(({ kind }) => kind).join(' ')).toBe(kinds);
  expect(await mismatches(database.dataSource, account)).toEqual([]);
}

describe('a probe that ends without a verdict', () => {
  it('leaves charges alone that were committed after it had looked for them', async () => {
    const [account, probe, charge] = [await rich(), newId(), charges()];
    const late = waitingOf(account, probe);
    await charge(late);
    expect(await refund(probe, new Set())).toBe(0);
    expect(await waitingOn(database.dataSource, probe)).toEqual([`${late.reference}:0`]);
    await expectBooks(account, 9, 'grant charge');
  });

  it('keeps the part of an account that was charged while it waited for the balances of others', async () => {
    const [early, late, probe, charge] = [await rich(), await rich(), newId(), charges()];
    await charge(waitingOf(early, probe));
    const other = await uncommitted(locking(early));
    const ending = refund(probe);
    await untilBlocked('account_balances');
    const charged = waitingOf(late, probe);
    await charge(charged);
    await other.query('COMMIT');
    expect(await ending).toBe(1);
    expect(await waitingOn(database.dataSource, probe)).toEqual([`${charged.reference}:0`]);
    expect(await refund(probe)).toBe(1);
    await expectBooks(early, 10, 'grant charge refund');
    await expectBooks(late, 10, 'grant charge refund');
  });
});

describe('a refund', () => {
  it('of a part that another process is refunding waits for it, and does nothing', async () => {
    const [account, charge] = [await rich(), charges()];
    const charged = chargeOf(account);
    await charge(charged);
    const other = await uncommitted(...moving(account, 'refund', `${charged.reference}:0`));
    const again = inTransaction((transaction) =>
      ledger().refundWithin(transaction, charged.reference, [{ part: '0', credits: 1 }]),
    );
    await untilBlocked('account_balances');
    await other.query('COMMIT');
    expect(await again).toMatchObject({ purchased: 10 });
    await expectBooks(account, 10, 'grant charge refund');
  });
});

it('an account that another process has locked is skipped at once, beside others', async () => {
  const [held, other, charge] = [await rich(), await rich(), charges('skip')];
  await uncommitted(locking(held));
  expect(await charge(chargeOf(held), chargeOf(other))).toMatchObject([{ kind: 'held' }, { kind: 'charged' }]);
  await expectBooks(held, 10, 'grant');
  await expectBooks(other, 9, 'grant charge');
});

describe('a charge whose COMMIT is still under way', () => {
  it.each([
    ['is found by the next try', 'charge', 'charged', 9, 'grant charge'],
    ['is refunded when its caller was told that it failed', 'undo', 'withdrawn', 10, 'grant charge refund'],
  ] as const)('%s, once', async (_, intent, kind, purchased, kinds) => {
    const [account, charge] = [await rich(), charges()];
    const charged = chargeOf(account);
    const first = await uncommitted(...moving(account, 'charge', charged.reference));
    const next = charge({ charge: charged, mayStand: true, intent });
    await untilBlocked('account_balances');
    await first.query('COMMIT');
    expect(await next).toMatchObject([{ kind }]);
    expect(await charge({ charge: charged, mayStand: true, intent })).toMatchObject([{ kind }]);
    await expectBooks(account, purchased, kinds);
  });
});

it('a call whose lease another one is taking over is not charged', async () => {
  const [account, charge] = [await rich(), charges()];
  const records = new IdempotencyRepository(database.dataSource);
  const acquired = await records.acquire(Buffer.alloc(32, 1), account, Buffer.alloc(32), idToBytes(newId()));
  if (acquired.kind !== 'acquired') throw new Error(acquired.kind);
  const { lease } = acquired;
  const taking = 'UPDATE idempotency_records SET lease = ? WHERE id = ?';
  const other = await uncommitted([taking, [idToBytes(newId()), lease.recordId]]);
  const answer = { ...lease, status: 200, headers: null, body: Buffer.from('{}') };
  const slow = charge(chargeOf(account, { answer }));
  await untilBlocked('idempotency_records');
  await other.query('COMMIT');
  expect(await slow).toEqual([{ kind: 'superseded' }]);
  await expectBooks(account, 10, 'grant');
});

it('a call whose lease is over gets the answer that was stored before it took the lease', async () => {
  const account = await rich();
  const [scope, hash] = [Buffer.alloc(32, 2), Buffer.alloc(32)];
  const records = new IdempotencyRepository(database.dataSource);
  const first = await records.acquire(scope, account, hash, idToBytes(newId()));
  if (first.kind !== 'acquired') throw new Error(first.kind);
  const { recordId } = first.lease;
  await database.dataSource.query('UPDATE idempotency_records SET expires_at = UTC_TIMESTAMP(3) WHERE id = ?', [
    recordId,
  ]);
  // The first call is charged just before the second one takes its lease.
  const { dataSource } = database;
  const sql = async (text: TemplateStringsArray, ...values: unknown[]): Promise<unknown> => {
    const answer = { status: 200, headers: null, body: Buffer.from('{}') };
    if (text[0]!.includes('UPDATE')) await records.storeAnswer(first.lease, answer, 24);
    return dataSource.sql(text, ...values);
  };
  const late = Object.create(dataSource, { sql: { value: sql } }) as DataSource;
  const second = await new IdempotencyRepository(late).acquire(scope, account, hash, idToBytes(newId()));
  expect(second).toMatchObject({ kind: 'answered', answer: { status: 200, body: Buffer.from('{}') } });
});

it('a month is closed with the row of a charge that was under way', async () => {
  const [account, charge] = [await rich(), charges()];
  const first = await uncommitted(...moving(account, 'charge', `single:${newId()}`));
  const [row] = await database.dataSource.query<{ month: number }[]>(
    'SELECT EXTRACT(YEAR_MONTH FROM UTC_TIMESTAMP()) AS month',
  );
  const closing = new LedgerClosingRepository(database.dataSource).close(account, row!.month);
  await untilBlocked('account_balances');
  await first.query('COMMIT');
  await closing;
  await charge(chargeOf(account));
  const audit = new LedgerAuditRepository(database.dataSource);
  for (const start of ['last closing', 'first row'] as const) {
    expect((await audit.page({ account }, start)).mismatches).toEqual([]);
  }
  expect(
    await database.dataSource.query('SELECT purchased FROM ledger_closings WHERE account_id = ?', [idToBytes(account)]),
  ).toEqual([{ purchased: '9' }]);
});
