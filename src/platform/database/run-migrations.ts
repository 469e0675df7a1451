import { DataSource } from 'typeorm';
import type { DatabaseTarget } from '../config/database-url.js';
import { dataSourceOptions } from './data-source-options.js';

const LOCK = 'mailvet.migrations';
const LOCK_WAIT_SECONDS = 300;

/**
 * Migrates the database to this build. Concurrent runs take turns under a lock, so the second has nothing to do.
 * @returns the names of the migrations applied, in order
 * @throws the driver's error; a failed migration is not recorded as applied
 */
export async function runMigrations(target: DatabaseTarget): Promise<string[]> {
  // Altering a big table takes long without any traffic.
  const dataSource = new DataSource({ ...dataSourceOptions(target, 0), maxQueryExecutionTime: 0 });
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    try {
      const rows: { taken: string | number | null }[] = await lock.query('SELECT GET_LOCK(?, ?) AS taken', [
        LOCK,
        LOCK_WAIT_SECONDS,
      ]);
      if (Number(rows[0]?.taken) !== 1) throw new Error('another process is migrating this database');
      const applied = await dataSource.runMigrations({ transaction: 'each' });
      return applied.map((migration) => migration.name);
    } finally {
      // Closing the connection frees the lock too, but a reused pool must not keep it.
      await lock.query('SELECT RELEASE_LOCK(?)', [LOCK]).catch(() => undefined);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
