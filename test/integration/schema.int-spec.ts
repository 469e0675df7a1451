import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { parseDatabaseUrl, type DatabaseTarget } from '../../src/platform/config/database-url.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { withLease } from '../../src/platform/database/lease.js';
import { MIGRATION_FILES } from '../../src/platform/database/migration-files.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { describeTables, documentedTables } from '../support/described-tables.js';

/** Every entity of the product, found by its file name: those of tables that are used through TypeORM's repositories. */
const ENTITIES = join(__dirname, '../../src/**/*.entity.ts');

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  const target = parseDatabaseUrl(database.url) as DatabaseTarget;
  // The schema builder reads MariaDB's catalogue right only under its own name; statements are the same.
  const type = (await isMariaDb(target)) ? 'mariadb' : 'mysql';
  dataSource = await new DataSource({
    ...dataSourceOptions(target, 0),
    type,
    entities: [ENTITIES],
    migrations: [MIGRATION_FILES],
  }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function isMariaDb(target: DatabaseTarget): Promise<boolean> {
  const asked = await openDatabase(target);
  const [row] = await asked.query<{ version: string }[]>('SELECT VERSION() AS version');
  await asked.destroy();
  return row?.version.includes('MariaDB') === true;
}

async function tables(): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME`,
  );
  return rows.map(({ name }) => name).filter((name) => name !== 'migrations');
}

/** What TypeORM would change to make the database fit the entities. */
async function drift(): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

describe('the migrations', () => {
  it('create the schema of the entities, can all be reverted, and run again', async () => {
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    expect(dataSource.entityMetadatas.length).toBeGreaterThan(0);
    expect(await drift()).toEqual([]);
    const made = await tables();
    expect(made).toEqual(expect.arrayContaining(dataSource.entityMetadatas.map(({ tableName }) => tableName)));

    for (let left = applied.length; left > 0; left--) await dataSource.undoLastMigration({ transaction: 'each' });
    expect(await tables()).toEqual([]);

    await dataSource.runMigrations({ transaction: 'each' });
    expect(await tables()).toEqual(made);
    expect(await drift()).toEqual([]);
  });

  it('create the tables of docs/tables.md', async () => {
    // The lease makes its table itself, as a migrating process does first.
    await withLease(dataSource, 'migrations', { waitMs: 0 }, () => Promise.resolve());
    const documented = documentedTables(readFileSync(join(__dirname, '../../docs/tables.md'), 'utf8'));
    expect(documented).toEqual(await describeTables(dataSource));
  });

  it('seed the plans', async () => {
    const columns = `requests_per_minute, free_verifies_per_month, guard_decisions_per_month, jobs_kept, addresses_kept,
      jobs_processing, crawls_per_day`;
    const plans = await dataSource.query<Record<string, unknown>[]>(
      `SELECT name, ${columns} FROM plans ORDER BY requests_per_minute`,
    );
    expect(plans.map((plan) => Object.values(plan))).toEqual([
      ['free', 60, 100, 1000, 20, 50_000, 2, 500],
      ['starter', 300, 10_000, 25_000, 200, 500_000, 5, 5000],
      ['growth', 1200, 10_000, 250_000, 1000, 5_000_000, 20, 50_000],
      ['scale', 6000, 10_000, 2_500_000, 5000, 50_000_000, 100, 500_000],
    ]);
  });
});
