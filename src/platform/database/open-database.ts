import { DataSource } from 'typeorm';
import type { DatabaseTarget } from '../config/database-url.js';
import { dataSourceOptions } from './data-source-options.js';

/** A person waits for the answer: a silent database is given up on sooner than in a server. */
const SILENCE_MS = 15_000;

/**
 * Connects for one command; whoever opened it closes it with `destroy()`.
 * @throws what the driver throws when the database cannot be reached
 */
export async function openDatabase(target: DatabaseTarget): Promise<DataSource> {
  const dataSource = new DataSource({ ...dataSourceOptions(target, SILENCE_MS), poolSize: 2, migrations: [] });
  try {
    return await dataSource.initialize();
  } catch (error) {
    await dataSource.driver.disconnect().catch(() => undefined);
    throw error;
  }
}
