import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConnection } from 'mysql2';
import type { DataSource, EntityManager } from 'typeorm';
import { isConnectionLost, isReadOnly } from './database-errors.js';
import { retryLockConflicts } from './retry-lock-conflicts.js';

/** A failover by an operator or a cluster may be over by then. */
const RETRY_LOST_FOR_MS = 3000;
const MAX_LOST = 4;
const LOST_PAUSE_MS = 250;

/** The connection was lost while it committed: all of the transaction is committed, or nothing. */
export class CommitUnknown extends Error {
  readonly fatal = true;

  constructor(cause: unknown) {
    super('the connection to the database was lost at COMMIT', { cause });
    this.name = 'CommitUnknown';
  }
}

type Work<T> = (transaction: EntityManager) => Promise<T>;

/**
 * A READ COMMITTED transaction: each statement sees the latest commits. It is run again after a lock conflict, and for a
 * short while where the database is lost before COMMIT.
 * @param work may run several times; only the last run is committed
 * @throws CommitUnknown where a second run could do the work twice; what calls it asks again, or answers 503
 */
export function retriedTransaction<T>(dataSource: DataSource, work: Work<T>): Promise<T> {
  return retried(() => attempt(dataSource, 'READ COMMITTED', work));
}

/** A REPEATABLE READ transaction: its reads share one snapshot. Otherwise like `retriedTransaction`. */
export function retriedSnapshot<T>(dataSource: DataSource, work: Work<T>): Promise<T> {
  return retried(() => attempt(dataSource, 'REPEATABLE READ', work));
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let losses = 0; ; losses++) {
    try {
      return await retryLockConflicts(run);
    } catch (error) {
      const isLate = losses === MAX_LOST || performance.now() - began >= RETRY_LOST_FOR_MS;
      if (isLate || !isConnectionLost(error) || error instanceof CommitUnknown) throw error;
      await delay(LOST_PAUSE_MS * (losses + 1));
    }
  }
}

async function attempt<T>(
  dataSource: DataSource,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ',
  work: Work<T>,
): Promise<T> {
  let isDone = false;
  try {
    return await dataSource.transaction(isolation, async (transaction) => {
      const result = await work(transaction).catch(async (error: unknown) => {
        if (isConnectionLost(error)) await discard(transaction);
        throw error;
      });
      isDone = true;
      return result;
    });
  } catch (error) {
    // A server that has become read-only rolls back what it refuses to commit.
    if (isDone && isConnectionLost(error) && !isReadOnly(error)) throw new CommitUnknown(error);
    throw error;
  }
}

/** Closes the connection of a server that cannot serve it: the pool would hand it out again. */
async function discard({ queryRunner }: EntityManager): Promise<void> {
  const connection = (await queryRunner?.connect()) as PoolConnection | undefined;
  connection?.destroy();
}
