import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, QueryFailedError } from 'typeorm';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { isConnectionLost, isDuplicateKey, isMissingTable } from '../../src/platform/database/database-errors.js';
import { momentOf } from '../../src/platform/database/migration-files.js';
import { pendingMigrations } from '../../src/platform/database/pending-migrations.js';
import { runMigrations } from '../../src/platform/database/run-migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

Logger.overrideLogger(['error']);

let database: TestDatabase;
let dataSource: DataSource;
const target = () => {
  const parsed = parseDatabaseUrl(database.url);
  if (parsed === null) throw new Error('the test database has no usable URL');
  return parsed;
};

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(target(), 0)).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const failure = (statement: string, parameters: unknown[] = []) =>
  dataSource.query(statement, parameters).then(
    () => {
      throw new Error('the statement did not fail');
    },
    (error: unknown) => error,
  );

describe('migrations', () => {
  it('are pending on an empty database, and not after they have run', async () => {
    const before = await pendingMigrations(dataSource);
    expect(before.length).toBeGreaterThan(0);
    const applied = await runMigrations(target());
    expect(applied.map(momentOf)).toEqual(before);
    expect(await pendingMigrations(dataSource)).toEqual([]);
    expect(await runMigrations(target())).toEqual([]);
  });

  it('take turns when run concurrently', async () => {
    const other = await createTestDatabase();
    const url = parseDatabaseUrl(other.url);
    if (url === null) throw new Error('no URL');
    try {
      const [first, second] = await Promise.all([runMigrations(url), runMigrations(url)]);
      expect([first.length, second.length].filter((count) => count > 0)).toHaveLength(1);
    } finally {
      await other.drop();
    }
  });

  it('of a newer release are ignored', async () => {
    await dataSource.query("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture')");
    expect(await pendingMigrations(dataSource)).toEqual([]);
  });
});

describe('a connection', () => {
  it('uses UTC on both sides', async () => {
    await dataSource.query('CREATE TABLE moments (at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), id INT)');
    const moment = new Date('2026-03-29T01:30:00.123Z');
    await dataSource.query('INSERT INTO moments (at, id) VALUES (?, 1)', [moment]);
    await dataSource.query('INSERT INTO moments (id) VALUES (2)');
    const rows = await dataSource.query<{ at: Date; text: string; zone: string }[]>(
      'SELECT at, CAST(at AS CHAR) AS text, @@session.time_zone AS zone FROM moments ORDER BY id',
    );
    expect(rows[0]).toEqual({ at: moment, text: '2026-03-29 01:30:00.123', zone: '+00:00' });
    expect(Math.abs(Number(rows[1]?.at) - Date.now())).toBeLessThan(60_000);
  });

  it('keeps four-byte characters', async () => {
    const rows = await dataSource.query<{ text: string }[]>("SELECT '😀' AS text");
    expect(rows[0]?.text).toBe('😀');
  });
});

describe('errors of the driver', () => {
  it('identify a duplicate key by name', async () => {
    await dataSource.query('CREATE TABLE things (id INT PRIMARY KEY, name VARCHAR(20), UNIQUE KEY things_name (name))');
    await dataSource.query("INSERT INTO things VALUES (1, 'a')");
    const error = await failure('INSERT INTO things VALUES (2, ?)', ['a']);
    expect(isDuplicateKey(error)).toBe(true);
    expect(isDuplicateKey(error, 'things_name')).toBe(true);
    expect(isDuplicateKey(error, 'PRIMARY')).toBe(false);
    expect(isConnectionLost(error)).toBe(false);
  });

  it('identify a missing table', async () => {
    const error = await failure('SELECT * FROM nowhere');
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(isMissingTable(error)).toBe(true);
    expect(isDuplicateKey(error)).toBe(false);
  });

  it('identify a connection killed during a statement; the next one works', async () => {
    const runner = dataSource.createQueryRunner();
    const [{ id }] = (await runner.query('SELECT CONNECTION_ID() AS id')) as [{ id: string }];
    const sleeping = runner.query('SELECT SLEEP(30)').catch((error: unknown) => error);
    await dataSource.query(`KILL ${Number(id)}`);
    expect(isConnectionLost(await sleeping)).toBe(true);
    await runner.release();
    await expect(dataSource.query('SELECT 1 AS one')).resolves.toHaveLength(1);
  });

  it('identify a statement that times out', async () => {
    const impatient = await new DataSource(dataSourceOptions(target(), 1500)).initialize();
    try {
      const error = await impatient.query('SELECT SLEEP(30)').catch((caught: unknown) => caught);
      expect(isConnectionLost(error)).toBe(true);
      await expect(impatient.query('SELECT 1 AS one')).resolves.toHaveLength(1);
    } finally {
      await impatient.destroy();
    }
  });

  it('do not occur on an idle connection', async () => {
    const impatient = await new DataSource(dataSourceOptions(target(), 1000)).initialize();
    try {
      const connectionId = async () => (await impatient.query<{ id: number }[]>('SELECT CONNECTION_ID() AS id'))[0]?.id;
      const before = await connectionId();
      await delay(2000);
      expect(await connectionId()).toBe(before);
    } finally {
      await impatient.destroy();
    }
  });

  it('distinguish a server that is lost from one that was never reached', async () => {
    const nobody = new DataSource(dataSourceOptions({ ...target(), host: '127.0.0.1', port: 1 }, 0));
    expect(isConnectionLost(await nobody.initialize().catch((error: unknown) => error))).toBe(true);
    expect(isConnectionLost(await nobody.query('SELECT 1').catch((error: unknown) => error))).toBe(true);
  });
});
