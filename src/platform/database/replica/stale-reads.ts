import type { DataSource, EntityManager } from 'typeorm';
import type { DatabaseTarget } from '../../config/database-url.js';
import { isConnectionLost } from '../database-errors.js';
import { retriedSnapshot } from '../retried-transaction.js';
import { Replica } from './replica.js';
import type { Statement } from '../statement.js';

const replicas = new WeakMap<DataSource, Replica>();

/** From now on, stale reads of this database go to its replica. */
export function attachReplica(primary: DataSource, target: DatabaseTarget): Replica {
  const replica = new Replica(primary, target);
  replicas.set(primary, replica);
  return replica;
}

/**
 * Reads what may be some seconds old, in one snapshot: on the replica, or on the primary where there is no replica, or
 * none that follows.
 * @param work may run several times
 */
export function staleSnapshot<T>(primary: DataSource, work: (snapshot: EntityManager) => Promise<T>): Promise<T> {
  return onReplica(
    primary,
    (replica) => replica.transaction('REPEATABLE READ', work),
    () => retriedSnapshot(primary, work),
  );
}

/** Like `staleSnapshot`, for one statement. */
export function staleRows<Row>(primary: DataSource, statement: Statement): Promise<Row[]> {
  const read = (source: DataSource): Promise<Row[]> => statement.run<Row[]>(source);
  return onReplica(primary, read, () => read(primary));
}

async function onReplica<T>(
  primary: DataSource,
  read: (replica: DataSource) => Promise<T>,
  readPrimary: () => Promise<T>,
): Promise<T> {
  const replica = replicas.get(primary);
  const source = await replica?.usable();
  if (source == null) return readPrimary();
  try {
    return await read(source);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    replica!.lose();
    return readPrimary();
  }
}
