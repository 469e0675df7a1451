import { DataSource } from 'typeorm';
import type { DatabaseTarget } from '../config/database-url.js';
import { dataSourceOptions } from './data-source-options.js';

const LOCK = 'mailvet.migrations';
const LOCK_WAIT_SECONDS = 300;

/**
 * Brings the database up to this build. Two that run at once take turns, so that the second finds nothing to do.
 * @returns the names of the migrations applied, in order
 * @throws what the driver throws; a migration that failed is not noted as applied
 */
export async function runMigrations(target: DatabaseTarget): Promise<string[]> {
  // A change of a big table is silent for as long as it takes.
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
      // Closing the connection would free the lock as well; a pool that is reused must not keep it.
      await lock.query('SELECT RELEASE_LOCK(?)', [LOCK]).catch(() => undefined);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
