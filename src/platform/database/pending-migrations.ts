import type { DataSource } from 'typeorm';
import { isMissingTable } from './database-errors.js';

/**
 * Names of this build's migrations that the database lacks, in order. Ignores migrations of a newer release: every
 * migration runs with the previous release. One SELECT, no DDL.
 * @throws the driver's error when the database cannot be queried
 */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const applied = await appliedMigrations(dataSource);
  return known.filter((name) => !applied.has(name));
}

async function appliedMigrations(dataSource: DataSource): Promise<Set<string>> {
  try {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
    return new Set(rows.map((row) => row.name));
  } catch (error) {
    if (isMissingTable(error)) return new Set();
    throw error;
  }
}
