/**
 * Rows that the database reads for the product's queries of the ledger: of an account with a long ledger, compared with one
 * that is ten times as short. Its output is a table with the index of each query.
 */
import { DataSource } from 'typeorm';
import { AuditPointsRepository } from '../src/billing/ledger/audit-points.repository.js';
import { LedgerClosingRepository } from '../src/billing/ledger/ledger-closing.repository.js';
import { LedgerRepository } from '../src/billing/ledger/ledger.repository.js';
import { LedgerAuditRepository } from '../src/billing/ledger/ledger-audit.repository.js';
import { CHUNK_ROWS, LedgerChunksRepository } from '../src/billing/statement/ledger-chunks.repository.js';
import { LedgerSumsRepository } from '../src/billing/statement/ledger-sums.repository.js';
import { StatementRepository } from '../src/billing/statement/statement.repository.js';
import { AuditEntryEntity } from '../src/platform/audit/audit-entry.entity.js';
import { parseDatabaseUrl } from '../src/platform/config/database-url.js';
import { dataSourceOptions } from '../src/platform/database/data-source-options.js';
import { silentQueryLogger } from '../src/platform/database/silent-query-logger.js';
import { idFromBytes, idToBytes, newId } from '../src/platform/ids/uuid.js';
import { apiUnderTest } from './lib/api-under-test.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { report, type Figure } from './lib/figure.js';
import { dayBefore, fillLedger } from './lib/long-ledger.js';

const LONG = Number(process.env['LEDGER_ROWS'] ?? 1_000_000);
const SHORT = LONG / 10;
const PAGE = 200;

interface Account {
  readonly id: string;
  readonly keyId: string;
  /** Id of a row in the middle of its ledger. */
  readonly middle: string;
  readonly charged: string;
}

interface Measured {
  readonly rows: number;
  readonly ms: number;
  /** Tables, each with how it is read. */
  readonly plan: string;
}

interface Asked {
  readonly sql: string;
  readonly values: unknown[];
}

const asked: Asked[] = [];
const ALL = { kind: null, from: null, to: null };
const ACTOR = { name: 'bench', address: null };

const QUERIES: Readonly<Record<string, (dataSource: DataSource, account: Account) => Promise<unknown>>> = {
  'a grant': (dataSource, { id }) =>
    new LedgerRepository(dataSource).grant(
      { accountId: id, credits: 1, kind: 'purchased', reference: `grant:${newId()}` },
      ACTOR,
    ),
  'a charge in the transaction of a job': (dataSource, account) =>
    dataSource.transaction((transaction) =>
      new LedgerRepository(dataSource).chargeWithin(transaction, {
        accountId: account.id,
        keyId: account.keyId,
        reference: account.charged,
        price: { addresses: 1, credits: 1, unitPrice: 1 },
        freeVerifiesPerMonth: 0,
      }),
    ),
  'its refund': (dataSource, { charged }) =>
    dataSource.transaction((transaction) =>
      new LedgerRepository(dataSource).refundWithin(transaction, charged, [{ part: '0', credits: 1 }]),
    ),
  'the first page of the statement': (dataSource, { id }) =>
    new StatementRepository(dataSource).page(id, ALL, null, PAGE),
  'a page in the middle': (dataSource, { id, middle }) =>
    new StatementRepository(dataSource).page(id, ALL, middle, PAGE),
  'a page of refunds': (dataSource, { id }) =>
    new StatementRepository(dataSource).page(id, { ...ALL, kind: 'refund' }, null, PAGE),
  'a page of grants, one of 50,000 rows': (dataSource, { id }) =>
    new StatementRepository(dataSource).page(id, { ...ALL, kind: 'grant' }, null, PAGE),
  'a page of one day': (dataSource, { id }) =>
    new StatementRepository(dataSource).page(
      id,
      { ...ALL, from: new Date(dayBefore(40)), to: new Date(dayBefore(39)) },
      null,
      PAGE,
    ),
  'sums of 90 days': (dataSource, { id }) => new LedgerSumsRepository(dataSource).ofDays(id, 90),
  'sums of 12 months': (dataSource, { id }) => new LedgerSumsRepository(dataSource).ofMonths(id, 12),
  'the next chunk to sum up': (dataSource, { id }) => new LedgerChunksRepository(dataSource).advance(id),
  'closing a month again': (dataSource, { id }) => new LedgerClosingRepository(dataSource).close(id, lastMonth()),
  'accounts with a month to close': (dataSource) => new LedgerClosingRepository(dataSource).unclosed(lastMonth(), 100),
  'the daily audit, after that of yesterday': (dataSource, { id }) =>
    new LedgerAuditRepository(dataSource).page({ account: id }, 'last audit'),
  'the command `ledger audit`': (dataSource, { id }) =>
    new LedgerAuditRepository(dataSource).page({ account: id }, 'last closing'),
  'the command `ledger audit --full`': (dataSource, { id }) =>
    new LedgerAuditRepository(dataSource).page({ account: id }, 'first row'),
};

/** Reads one chunk or two, by where the day ends in them. */
const READS_TWO = new Set(['a page of one day']);
/** They read all rows of an account, or all of its month: a person asks for it. */
const READS_ALL = new Set(['the command `ledger audit`', 'the command `ledger audit --full`']);

async function main(): Promise<void> {
  const { databaseUrl } = apiUnderTest();
  const dataSource = await new DataSource({
    ...dataSourceOptions(parseDatabaseUrl(databaseUrl)!, 0),
    maxQueryExecutionTime: 0,
    // The counters belong to a connection.
    poolSize: 1,
    entities: [AuditEntryEntity],
    logging: ['query'],
    logger: {
      ...silentQueryLogger,
      logQuery: (sql, values) => asked.push({ sql, values: (values ?? []) as unknown[] }),
    },
  }).initialize();
  const [short, long] = [
    await accountWith(databaseUrl, dataSource, SHORT),
    await accountWith(databaseUrl, dataSource, LONG),
  ];
  const lines: string[] = [];
  const figures: Figure[] = [];
  for (const [what, run] of Object.entries(QUERIES)) {
    const [ofShort, ofLong] = [await measure(dataSource, run, short), await measure(dataSource, run, long)];
    lines.push(`| ${what} | ${[ofLong.plan, ofShort.rows, ofLong.rows, ofLong.ms].join(' | ')} |`);
    figures.push({
      what: `${what}, ${LONG.toLocaleString('en')} ledger rows: rows read`,
      unit: 'rows',
      rounds: [ofLong.rows],
      baseline: { what: `${SHORT.toLocaleString('en')} ledger rows`, rounds: [ofShort.rows] },
      ...(READS_ALL.has(what) ? {} : { target: { atMost: READS_TWO.has(what) ? 2.2 : 1.5 } }),
    });
  }
  await dataSource.destroy();
  const head = `| query | how it reads | rows read of ${SHORT.toLocaleString('en')} | of ${LONG.toLocaleString('en')} | ms |`;
  console.log([head, '|---|---|---|---|---|', ...lines].join('\n'));
  report(figures);
}

/** An account with a ledger of so many rows. One that was filled before, in this database, is used again. */
async function accountWith(databaseUrl: string, dataSource: DataSource, rows: number): Promise<Account> {
  const name = `Ledger of ${rows} rows`;
  const { id, keyId } = (await filledBefore(dataSource, name)) ?? (await fillNew(databaseUrl, dataSource, rows, name));
  await new LedgerClosingRepository(dataSource).close(id, lastMonth());
  const { points } = await new LedgerAuditRepository(dataSource).page({ account: id }, 'last audit');
  await new AuditPointsRepository(dataSource).keep(points);
  return { id, keyId, middle: await middleOf(dataSource, id, rows), charged: `job:${newId()}` };
}

async function filledBefore(dataSource: DataSource, name: string): Promise<Pick<Account, 'id' | 'keyId'> | undefined> {
  const [row] = await dataSource.query<{ id: Buffer; key_id: Buffer }[]>(
    `SELECT a.id, MIN(k.id) AS key_id FROM accounts a JOIN api_keys k ON k.account_id = a.id WHERE a.name = ? GROUP BY a.id`,
    [name],
  );
  return row && { id: idFromBytes(row.id), keyId: idFromBytes(row.key_id) };
}

async function fillNew(
  databaseUrl: string,
  dataSource: DataSource,
  rows: number,
  name: string,
): Promise<Pick<Account, 'id' | 'keyId'>> {
  const [made] = await makeAccounts(databaseUrl, 1);
  await fillLedger(databaseUrl, made!.id, rows);
  await dataSource.query('UPDATE accounts SET name = ? WHERE id = ?', [name, idToBytes(made!.id)]);
  return made!;
}

/** Id of a row in the middle of a ledger. */
async function middleOf(dataSource: DataSource, id: string, rows: number): Promise<string> {
  const [chunk] = await dataSource.query<{ through_id: string }[]>(
    'SELECT through_id FROM ledger_chunks WHERE account_id = ? AND number = ?',
    [idToBytes(id), Math.floor(rows / CHUNK_ROWS / 2)],
  );
  return chunk!.through_id;
}

async function measure(
  dataSource: DataSource,
  run: (dataSource: DataSource, account: Account) => Promise<unknown>,
  account: Account,
): Promise<Measured> {
  const silence = (await rowsRead(dataSource, async () => undefined)).rows;
  const { rows, ms, statements } = await rowsRead(dataSource, () => run(dataSource, account));
  return { rows: rows - silence, ms: Math.round(ms), plan: await planOf(dataSource, statements) };
}

async function rowsRead(dataSource: DataSource, work: () => Promise<unknown>) {
  const before = await handlers(dataSource);
  asked.length = 0;
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  const statements = [...asked];
  return { rows: (await handlers(dataSource)) - before, ms, statements };
}

/** Rows that this connection has read so far. */
async function handlers(dataSource: DataSource): Promise<number> {
  const rows = await dataSource.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler\\_read%'");
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

async function planOf(dataSource: DataSource, statements: readonly Asked[]): Promise<string> {
  const parts = new Set<string>();
  for (const { sql, values } of statements) {
    if (!/^\s*SELECT/i.test(sql)) continue;
    const rows = await dataSource.query<Record<string, string | null>[]>(`EXPLAIN ${sql}`, values);
    for (const { table, type, key } of rows) {
      if (table === null || table === undefined || table.startsWith('<')) continue;
      parts.add(`${table} ${type ?? ''} ${key ?? ''}`.trim());
    }
  }
  return [...parts].join('; ');
}

function lastMonth(): number {
  const now = new Date();
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth() - 1;
  return Math.floor(month / 12) * 100 + (month % 12) + 1;
}

void main();
