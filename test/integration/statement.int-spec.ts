import type { DataSource } from 'typeorm';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { CHUNK_ROWS, LedgerChunksRepository } from '../../src/billing/statement/ledger-chunks.repository.js';
import { LedgerChunksTask } from '../../src/billing/statement/ledger-chunks.task.js';
import { LedgerSumsRepository, type LedgerSum } from '../../src/billing/statement/ledger-sums.repository.js';
import { StatementRepository, type StatementEntry } from '../../src/billing/statement/statement.repository.js';
import type { StatementFilter } from '../../src/billing/statement/statement-segments.repository.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { idFromBytes, idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { makeAccount, mismatches } from './billing-support.js';

const ALL: StatementFilter = { kind: null, from: null, to: null };
const KEY = newId();

let database: MigratedDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database?.drop());

/** Charges of one credit, one a minute, each tenth refunded at once, on the days before the first of December. */
async function charge(accountId: string, count: number): Promise<void> {
  const id = idToBytes(accountId);
  const start = Date.UTC(2026, 10, 30, 23, 59) - count * 60_000;
  const rows: unknown[][] = [];
  let spent = 0;
  for (let i = 0; i < count; i++) {
    const at = new Date(start + i * 60_000);
    const reference = `${i % 3 === 0 ? 'job' : 'single'}:${newId()}`;
    rows.push([id, 'charge', reference, idToBytes(KEY), 1, 1, -1, 0, 0, 202611, at]);
    spent++;
    if (i % 10 === 0) {
      rows.push([id, 'refund', `${reference}:0`, idToBytes(KEY), 1, 1, 1, 0, 0, 202611, at]);
      spent--;
    }
  }
  for (let from = 0; from < rows.length; from += 500) {
    await database.dataSource.query(
      `INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted, free_verifies,
        month, created_at) VALUES ?`,
      [rows.slice(from, from + 500)],
    );
  }
  await database.dataSource.query('UPDATE account_balances SET purchased = purchased - ? WHERE account_id = ?', [
    spent,
    id,
  ]);
}

async function wholeStatement(accountId: string, filter = ALL, limit = 170): Promise<StatementEntry[]> {
  const statements = new StatementRepository(database.dataSource);
  const entries: StatementEntry[] = [];
  let before: string | null = null;
  do {
    const page = await statements.page(accountId, filter, before, limit);
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    entries.push(...page.entries);
    before = page.next;
  } while (before !== null);
  return entries;
}

/** The same by one query over all rows. */
async function expected(accountId: string): Promise<{ id: string; balanceAfter: number; kind: string; at: Date }[]> {
  const rows = await database.dataSource.query<{ id: string; kind: string; change: string; created_at: Date }[]>(
    'SELECT id, kind, purchased + gifted AS `change`, created_at FROM ledger_entries WHERE account_id = ? ORDER BY id',
    [idToBytes(accountId)],
  );
  let balance = 0;
  return rows
    .map(({ id, kind, change, created_at: at }) => ({ id, kind, at, balanceAfter: (balance += Number(change)) }))
    .toReversed();
}

const brief = (entries: readonly StatementEntry[]) =>
  entries.map(({ id, kind, at, balanceAfter }) => ({ id, kind, at, balanceAfter }));

function merged(sums: readonly LedgerSum[]): Record<string, number[]> {
  const by: Record<string, number[]> = {};
  for (const { day, kind, endpoint, keyId, addresses, credits, freeVerifies } of sums) {
    const sum = (by[[day, kind, endpoint, keyId].join(' ')] ??= [0, 0, 0]);
    sum[0]! += addresses;
    sum[1]! += credits;
    sum[2]! += freeVerifies;
  }
  return by;
}

describe('the statement of an account', () => {
  it('shows every row once with the balance after it, before and after the ledger was summed up', async () => {
    const { dataSource } = database;
    const account = await makeAccount(dataSource, { purchased: 5000 });
    const charges = 2 * CHUNK_ROWS + 100;
    const spent = charges - charges / 10;
    await charge(account, charges);
    expect(await mismatches(dataSource, account)).toEqual([]);
    const rows = await expected(account);
    const byRow = new LedgerSumsRepository(dataSource, "TIMESTAMP('2026-12-01 10:00:00')");
    const before = merged(await byRow.ofDays(account, 90));
    const months = await byRow.ofMonths(account, 12);
    expect(brief(await wholeStatement(account))).toEqual(rows);

    const chunks = new LedgerChunksRepository(dataSource);
    // Twice at once, as two workers might.
    const advanced = await Promise.all([chunks.advance(account), chunks.advance(account)]);
    expect(advanced).toContain(true);
    await new LedgerChunksTask(chunks).run(new AbortController().signal);
    const summed = await dataSource.query<{ number: number }[]>(
      'SELECT number FROM ledger_chunks WHERE account_id = ? ORDER BY number',
      [idToBytes(account)],
    );
    expect(summed.map(({ number }) => number)).toEqual([0, 1]);
    expect(brief(await wholeStatement(account))).toEqual(rows);
    expect(merged(await byRow.ofDays(account, 90))).toEqual(before);
    expect(await byRow.ofMonths(account, 12)).toEqual(months);
    expect(months).toEqual([{ month: 202611, credits: spent, freeVerifies: 0 }]);

    // Rows that came later are there at once.
    await new LedgerRepository(dataSource).grant(
      { accountId: account, credits: 7, kind: 'gifted', reference: `gift:${newId()}` },
      'test',
    );
    const [newest] = await wholeStatement(account);
    expect(newest).toMatchObject({ kind: 'grant', gifted: 7, balanceAfter: 5000 - spent + 7 });
  });

  it('filters by kind and time, with the same balances', async () => {
    const { dataSource } = database;
    const account = await makeAccount(dataSource, { purchased: 5000 });
    await charge(account, 3 * CHUNK_ROWS);
    await new LedgerChunksTask(new LedgerChunksRepository(dataSource)).run(new AbortController().signal);
    const rows = await expected(account);
    const [from, to] = [new Date('2026-11-29T10:00:00Z'), new Date('2026-11-30T02:00:00Z')];
    for (const filter of [
      { kind: 'grant', from: null, to: null },
      { kind: 'refund', from: null, to: null },
      { kind: 'charge', from, to },
      { kind: null, from, to: null },
      { kind: null, from: null, to },
    ] as const) {
      const wanted = rows.filter(
        ({ kind, at }) =>
          (filter.kind === null || kind === filter.kind) &&
          (filter.from === null || at >= filter.from) &&
          (filter.to === null || at < filter.to),
      );
      expect(wanted.length).toBeGreaterThan(0);
      expect(brief(await wholeStatement(account, filter, 40))).toEqual(wanted);
    }
  });

  describe('of a long ledger', () => {
    const CHUNKS = 2200;
    const START = Date.UTC(2026, 0, 1);
    const HOUR = 3_600_000;
    let account: string;
    let one: DataSource;
    /** A grant, then chunks of charges, one an hour; their rows are not needed to find them. */
    beforeAll(async () => {
      account = await makeAccount(database.dataSource, { purchased: 5000 });
      const id = idToBytes(account);
      const [{ first }] = await database.dataSource.query<[{ first: string }]>(
        'SELECT MIN(id) AS first FROM ledger_entries WHERE account_id = ?',
        [id],
      );
      const chunks = Array.from({ length: CHUNKS }, (_, number) => {
        const row = Number(first) + number;
        const at = [new Date(START + number * HOUR), new Date(START + (number + 1) * HOUR)];
        const counts = number === 0 ? [1, 0, 0] : [0, 500, 0];
        return [id, number, number === 0 ? 0 : row - 1, row, ...at, ...counts, 5000];
      });
      await database.dataSource.query('INSERT INTO ledger_chunks VALUES ?', [chunks]);
      one = await openDatabase(database.target, { poolSize: 1 });
    });
    afterAll(() => one?.destroy());

    /** Rows that the database reads for a page. */
    async function rowsRead(filter: StatementFilter, before: string | null = null): Promise<number> {
      const handlers = async (): Promise<number> => {
        // The counters belong to a connection.
        const rows = await one.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler\\_read%'");
        return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      const start = await handlers();
      await new StatementRepository(one).page(account, filter, before, 200);
      return (await handlers()) - start;
    }

    it('reads as few rows for a page in the middle or of a day as for the first', async () => {
      const first = await rowsRead(ALL);
      const [from, to] = [new Date(START + 1000 * HOUR), new Date(START + 1024 * HOUR)];
      const [{ middle }] = await one.query<[{ middle: string }]>(
        'SELECT from_id AS middle FROM ledger_chunks WHERE account_id = ? AND number = 1000',
        [idToBytes(account)],
      );
      const reads = [
        await rowsRead(ALL, middle),
        await rowsRead({ kind: null, from, to }),
        await rowsRead({ kind: null, from: null, to }),
        await rowsRead({ kind: null, from: new Date(START + CHUNKS * HOUR), to: null }),
      ];
      expect(Math.max(...reads)).toBeLessThan(first + 100);
    });

    it('looks for rare rows in a thousand chunks for each page', async () => {
      const statements = new StatementRepository(database.dataSource);
      const grants = { ...ALL, kind: 'grant' } as const;
      expect(await rowsRead(grants)).toBeLessThan(1500);
      const first = await statements.page(account, grants, null, 200);
      expect([first.entries, typeof first.next]).toEqual([[], 'string']);
      expect(await wholeStatement(account, grants)).toMatchObject([
        { kind: 'grant', purchased: 5000, balanceAfter: 5000 },
      ]);
    });
  });

  it('is empty for an account that never moved any money, and shows nothing of others', async () => {
    const account = await makeAccount(database.dataSource);
    expect(await new StatementRepository(database.dataSource).page(account, ALL, null, 10)).toEqual({
      entries: [],
      next: null,
      balance: 0,
    });
    expect(await new LedgerSumsRepository(database.dataSource).ofDays(account, 30)).toEqual([]);
  });

  it('sums nothing up for an account that is gone', async () => {
    const { dataSource } = database;
    const account = await makeAccount(dataSource, { purchased: 5000 });
    await charge(account, CHUNK_ROWS);
    await dataSource.query('DELETE FROM account_balances WHERE account_id = ?', [idToBytes(account)]);
    await dataSource.query('DELETE FROM accounts WHERE id = ?', [idToBytes(account)]);
    const chunks = new LedgerChunksRepository(dataSource);
    expect(await chunks.advance(account)).toBe(false);
    const rows = await dataSource.query<{ account_id: Buffer }[]>('SELECT DISTINCT account_id FROM ledger_days');
    expect(rows.map(({ account_id }) => idFromBytes(account_id))).not.toContain(account);
  });
});
