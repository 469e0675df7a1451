import { DataSource } from 'typeorm';
import type { DatabaseTarget } from '../config/database-url.js';
import { dataSourceOptions } from './data-source-options.js';
import { LeaseHeld, withLease } from './lease.js';
import { MIGRATION_FILES } from './migration-files.js';

const LEASE = 'migrations';
const WAIT_MS = 300_000;

/**
 * Migrates the database to this build. Concurrent runs take turns under a lease, so the second has nothing to do.
 * @returns the names of the migrations applied, in order
 * @throws the driver's error; a failed migration is not recorded as applied
 */
export async function runMigrations(target: DatabaseTarget): Promise<string[]> {
  // Altering a big table takes long without any traffic.
  const dataSource = new DataSource({
    ...dataSourceOptions(target, 0),
    migrations: [MIGRATION_FILES],
    maxQueryExecutionTime: 0,
  });
  await dataSource.initialize();
  try {
    const applied = await withLease(dataSource, LEASE, { waitMs: WAIT_MS }, (lost) => {
      // No further migration may begin: another process goes on.
      lost.addEventListener('abort', () => void dataSource.destroy());
      return dataSource.runMigrations({ transaction: 'each' });
    });
    return applied.map((migration) => migration.name);
  } catch (error) {
    throw error instanceof LeaseHeld ? new Error('another process is migrating this database') : error;
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}
