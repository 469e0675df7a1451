import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseTarget } from '../config/database-url.js';
import { dataSourceOptions } from './data-source-options.js';

/** Shorter than in a server, because a person waits. */
const SILENCE_MS = 15_000;

interface Loaded {
  /** Entities for TypeORM's repositories. */
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
  readonly poolSize?: number;
}

/**
 * Connects for one command, or to a replica. The caller closes the connection with `destroy()`.
 * @throws the driver's error if the database cannot be reached
 */
export async function openDatabase(
  target: DatabaseTarget,
  { entities = [], poolSize = 2 }: Loaded = {},
): Promise<DataSource> {
  const dataSource = new DataSource({ ...dataSourceOptions(target, SILENCE_MS), poolSize, entities });
  try {
    return await dataSource.initialize();
  } catch (error) {
    await dataSource.driver.disconnect().catch(() => undefined);
    throw error;
  }
}
