import type { DataSource } from 'typeorm';
import { isMissingTable } from './database-errors.js';

/**
 * Names of the migrations this build brings and the database lacks, in order. Those of a newer release that it has
 * are no concern of this one: every migration runs with the previous release. One SELECT, no DDL.
 * @throws what the driver throws when the database cannot be asked
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
