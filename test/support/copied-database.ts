import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { runMigrations } from '../../src/platform/database/run-migrations.js';
import { createTestDatabase, testServerUrl, type TestDatabase } from './database.js';

const MIGRATIONS = resolve(__dirname, '../../migrations');

/** A database of its own as the migrations leave it. They run once for all files of tests, on a database that is copied. */
export async function copyMigratedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const connection = await createConnection({ uri: database.url, multipleStatements: true });
  try {
    const template = await migratedTemplate(connection);
    await copyTables(connection, template);
  } finally {
    await connection.end();
  }
  return database;
}

/** @returns the name of a database that all migrations of this checkout have been applied to */
async function migratedTemplate(connection: Connection): Promise<string> {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.ts'));
  const hash = createHash('sha256');
  for (const name of files) hash.update(name).update(readFileSync(resolve(MIGRATIONS, name)));
  const template = `mailvet_test_template_${hash.digest('hex').slice(0, 12)}`;
  const applied = await names(connection, `SELECT name FROM ${template}.migrations`).catch(() => []);
  if (applied.length < files.length) {
    await connection.query(`CREATE DATABASE IF NOT EXISTS ${template} CHARACTER SET utf8mb4`);
    const url = new URL(testServerUrl(process.env['DATABASE_URL']));
    url.pathname = `/${template}`;
    // Another file may do the same: they take turns.
    await runMigrations(parseDatabaseUrl(url.href)!);
  }
  return template;
}

async function copyTables(connection: Connection, template: string): Promise<void> {
  const tables = await names(connection, `SHOW TABLES FROM ${template}`);
  const makings = await Promise.all(
    tables.map(async (table) => {
      const [[row]] = await connection.query<RowDataPacket[]>(`SHOW CREATE TABLE ${template}.${table}`);
      return row!['Create Table'] as string;
    }),
  );
  const rows = tables.map((table) => `INSERT INTO ${table} SELECT * FROM ${template}.${table}`);
  // A table may refer to one that comes later.
  await connection.query(['SET foreign_key_checks = 0', ...makings, ...rows].join(';\n'));
}

async function names(connection: Connection, query: string): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>({ sql: query, rowsAsArray: true });
  return rows.map((row) => String(row[0]));
}
