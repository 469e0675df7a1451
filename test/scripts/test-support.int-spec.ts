import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { runMigrations } from '../../src/platform/database/run-migrations.js';
import { copyMigratedDatabase } from '../support/copied-database.js';
import { createTestDatabase, testServerUrl } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { answersOk, runProcess, startProcess } from '../support/processes.js';
import { claimTestRedis } from '../support/redis.js';

describe('the database of a test', () => {
  it.each([
    'mysql://u:secret@db.example.com/mailvet',
    'mysql://u:secret@127.0.0.1/latest',
    'mysql://u:secret@127.0.0.1/',
  ])('is refused on the server of %s, without showing the password', (url) => {
    expect(() => testServerUrl(url)).toThrow(/must say "test"/);
    expect(() => testServerUrl(url)).not.toThrow(/secret/);
  });

  it.each(['test', 'mailvet_test', 'test-7', 'mailvet_test_7'])('is created on a server whose URL names %s', (name) => {
    expect(() => testServerUrl(`mysql://u:p@127.0.0.1/${name}`)).not.toThrow();
  });

  it('is empty, private, and gone after drop', async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    expect(new URL(one.url).pathname).not.toBe(new URL(other.url).pathname);
    expect(await query(one.url, 'SHOW TABLES')).toEqual([]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow(/unknown database/i);
  });

  it('that is migrated has the tables and rows that the migrations make', async () => {
    const [migrated, copied] = [await createTestDatabase(), await copyMigratedDatabase()];
    await runMigrations(parseDatabaseUrl(migrated.url)!);
    const made = await contents(migrated.url);
    expect(Object.keys(made)).toEqual(expect.arrayContaining(['accounts', 'migrations', 'plans']));
    expect(await contents(copied.url)).toEqual(made);
    await Promise.all([migrated.drop(), copied.drop()]);
  });
});

describe('the Redis of a test', () => {
  it('is an empty logical database that no other test gets until it is released', async () => {
    const [one, other] = await Promise.all([claimTestRedis(), claimTestRedis()]);
    expect(one.url).not.toBe(other.url);
    const redis = new Redis(one.url);
    expect(await redis.dbsize()).toBe(0);
    await redis.set('left', 'behind');
    await one.release();
    expect(await redis.dbsize()).toBe(0);
    await redis.quit();
    await other.release();
  });
});

describe('a port of a test', () => {
  it('is not given to another test, even before it is used', async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    expect(new Set(ports).size).toBe(3);
  });
});

describe('a process of a test', () => {
  const failing = ['scripts/dev-servers.mjs', 'Not A Name'];

  it('returns its output and exit code', async () => {
    const { code, stderr } = await runProcess(failing);
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be a name');
  });

  it('that exits before it is ready is an error with its output', async () => {
    await expect(startProcess(failing, { isReady: answersOk('http://127.0.0.1:1/') })).rejects.toThrow(
      /did not become ready \(exit 1\):[^]*cannot be a name/,
    );
  });
});

/** Of each table how it is made, and its rows without the moments at which they came. */
async function contents(url: string): Promise<Record<string, unknown>> {
  const tables = (await query(url, 'SHOW TABLES')) as Record<string, string>[];
  const each = tables.flatMap(Object.values).map(async (table) => {
    const [made] = (await query(url, `SHOW CREATE TABLE ${table}`)) as Record<string, string>[];
    const rows = (await query(url, `SELECT * FROM ${table}`)) as Record<string, unknown>[];
    return [
      table,
      made!['Create Table'],
      rows.map((row) => Object.values(row).filter((value) => !(value instanceof Date))),
    ];
  });
  return Object.fromEntries((await Promise.all(each)).map(([table, ...rest]) => [table, rest]));
}

async function query(url: string, statement: string): Promise<unknown> {
  const connection = await createConnection({ uri: url });
  try {
    return (await connection.query(statement))[0];
  } finally {
    await connection.end();
  }
}
