import { createConnection } from 'mysql2/promise';
import { newId } from '../../src/platform/ids/uuid.js';
import { copyMigratedDatabase } from '../support/copied-database.js';
import type { TestDatabase } from '../support/database.js';
import { startOperator, type Operator } from '../support/operator.js';

let database: TestDatabase;
let operator: Operator;
let account: string;
const cli = (...argv: string[]) => operator.run(...argv);

async function json<T>(...argv: string[]): Promise<T> {
  const { code, stdout, stderr } = await cli(...argv, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}
async function fault(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(...argv);
  expect([code, stdout]).toEqual([1, '']);
  return stderr.trimEnd();
}
async function query<T>(sql: string): Promise<T[]> {
  const connection = await createConnection(database.url);
  try {
    return (await connection.query(sql))[0] as T[];
  } finally {
    await connection.end();
  }
}

beforeAll(async () => {
  database = await copyMigratedDatabase();
  operator = startOperator({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await operator.stop();
  await database.drop();
});

describe('accounts', () => {
  it('start with the given credits, and show them', async () => {
    const created = await json<{ id: string }>(
      'account',
      'create',
      '--name',
      'Acme',
      '--plan',
      'free',
      '--credits',
      '25',
    );
    account = created.id;
    const money = { credits: { total: 25, purchased: 25, gifted: 0 }, free_verifies_remaining: 100 };
    expect(created).toMatchObject(money);
    expect(await json('account', 'show', account)).toMatchObject(money);
    expect((await cli('account', 'show', account)).stdout).toMatch(/credits +25 \(25 purchased, 0 gifted\)/);
  });

  it('are not created with invalid credits', async () => {
    expect(await fault('account', 'create', '--name', 'x', '--plan', 'free', '--credits', '1e3')).toMatch(
      /whole number/,
    );
    expect(await json('account', 'list')).toHaveLength(1);
  });
});

describe('credits grant', () => {
  it('adds to the named bucket', async () => {
    expect(await json('credits', 'grant', account, '5')).toEqual({ credits: { total: 30, purchased: 30, gifted: 0 } });
    const gifted = await json('credits', 'grant', account, '7', '--kind', 'gifted');
    expect(gifted).toEqual({ credits: { total: 37, purchased: 30, gifted: 7 } });
  });

  it('grants once per reference, however often and concurrently', async () => {
    const grant = ['credits', 'grant', account, '100', '--reference', 'INV 17'];
    const outcomes = await Promise.all([1, 2, 3].map(() => json(...grant)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ credits: { purchased: 130 } });
  });

  it('refuses a reference of a different grant', async () => {
    const used = 'error: --reference was used for another grant: nothing was granted';
    expect(await fault('credits', 'grant', account, '99', '--reference', 'INV 17')).toBe(used);
    expect(await fault('credits', 'grant', account, '100', '--kind', 'gifted', '--reference', 'INV 17')).toBe(used);
    const other = await json<{ id: string }>('account', 'create', '--name', 'Other', '--plan', 'free');
    expect(await fault('credits', 'grant', other.id, '100', '--reference', 'INV 17')).toBe(used);
  });

  it.each([
    [['0'], /<credits>: must be a whole number from 1 to/],
    [['-5'], /unknown option '-5'|whole number/],
    [['5', '--kind', 'stolen'], /purchased, gifted/],
    [['5', '--reference', ' '], /printable/],
  ])('refuses %j', async (argv, message) => {
    expect(await fault('credits', 'grant', account, ...argv)).toMatch(message);
  });

  it('refuses an unknown account', async () => {
    expect(await fault('credits', 'grant', newId(), '5')).toMatch(/no account has this id/);
  });

  it('writes one audit row per grant', async () => {
    const rows = await query<{ actor: string; credits: string }>(
      "SELECT actor, JSON_VALUE(details, '$.credits') AS credits FROM audit_log WHERE action = 'credits.grant' ORDER BY id",
    );
    expect(rows.map(({ credits }) => Number(credits))).toEqual([25, 5, 7, 100]);
    expect(rows.every(({ actor }) => actor.startsWith('operator:'))).toBe(true);
  });
});

describe('ledger audit', () => {
  it('finds nothing in a correct ledger', async () => {
    expect(await json('ledger', 'audit')).toEqual({ accounts: 2, mismatches: [] });
    expect(await json('ledger', 'audit', account, '--full')).toEqual({ accounts: 1, mismatches: [] });
    expect((await cli('ledger', 'audit')).stdout).toBe('2 accounts, every balance is the sum of its ledger rows.\n');
  });

  it('reports differences and exits with 1', async () => {
    await query('UPDATE account_balances SET gifted = gifted + 1 WHERE gifted = 7');
    const { code, stdout, stderr } = await cli('ledger', 'audit', '--json');
    expect([code, stderr]).toEqual([1, '']);
    const mismatch = { account, figure: 'gifted', kept: 8, ledger: 7 };
    expect(JSON.parse(stdout)).toEqual({ accounts: 2, mismatches: [mismatch] });
    expect((await cli('ledger', 'audit', account)).stdout).toMatch(/gifted +8 +7/);
    await query('UPDATE account_balances SET gifted = gifted - 1 WHERE gifted = 8');
  });

  it('detects a missing row', async () => {
    await query("DELETE FROM ledger_entries WHERE reference = 'grant:INV 17'");
    const { code, stdout } = await cli('ledger', 'audit', account, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ mismatches: [{ figure: 'purchased', kept: 130, ledger: 30 }] });
  });

  it('refuses an unknown account', async () => {
    expect(await fault('ledger', 'audit', newId())).toMatch(/no account has this id/);
  });
});
