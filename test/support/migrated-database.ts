import type { DatabaseTarget } from '../../src/platform/config/database-url.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { OPERATOR_ENTITIES } from '../../src/roles/operator-entities.js';
import { copyMigratedDatabase } from './copied-database.js';

export interface MigratedDatabase {
  readonly url: string;
  readonly target: DatabaseTarget;
  readonly dataSource: Awaited<ReturnType<typeof openDatabase>>;
  /** Disconnects and removes the database. */
  drop(): Promise<void>;
}

/** A database of its own with every migration applied, and a connection to it. */
export async function createMigratedDatabase(): Promise<MigratedDatabase> {
  const database = await copyMigratedDatabase();
  const target = parseDatabaseUrl(database.url);
  if (target === null) throw new Error('the test database has no usable URL');
  const dataSource = await openDatabase(target, { entities: OPERATOR_ENTITIES });
  const drop = async (): Promise<void> => {
    await dataSource.destroy();
    await database.drop();
  };
  return { url: database.url, target, dataSource, drop };
}
