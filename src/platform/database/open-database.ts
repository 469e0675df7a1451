import { DataSource } from 'typeorm';
import type { DatabaseTarget } from '../config/database-url.js';
import { dataSourceOptions } from './data-source-options.js';

/** A person waits for the answer: a silent database is given up on sooner than in a server. */
const SILENCE_MS = 15_000;

/**
 * Connects for one command; whoever opened it closes it with `destroy()`.
 * @param withMigrations loads those of this build, for a command that asks which are pending
 * @throws what the driver throws when the database cannot be reached
 */
export async function openDatabase(target: DatabaseTarget, { withMigrations = false } = {}): Promise<DataSource> {
  const { migrations, ...options } = dataSourceOptions(target, SILENCE_MS);
  const dataSource = new DataSource({
    ...options,
    poolSize: 2,
    migrations: withMigrations && migrations !== undefined ? migrations : [],
  });
  try {
    return await dataSource.initialize();
  } catch (error) {
    await dataSource.driver.disconnect().catch(() => undefined);
    throw error;
  }
}
