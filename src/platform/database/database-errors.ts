import { QueryFailedError } from 'typeorm';

/** Properties that mysql2 adds to its errors. */
interface DriverError extends Error {
  readonly code?: string;
  readonly errno?: number;
  readonly fatal?: boolean;
  readonly sqlMessage?: string;
}

const DUPLICATE_KEY = 1062;
const NO_SUCH_TABLE = 1146;

/**
 * The transaction lost to another one: it is rolled back, or must be, and may be run again. In a Galera cluster COMMIT
 * too ends as a deadlock, where another node has committed a change of the same rows (a failed certification).
 */
const LOCK_CONFLICTS: ReadonlySet<unknown> = new Set([
  1205, // a lock wait that took too long
  1213, // a deadlock
  1020, // MariaDB with `innodb_snapshot_isolation`: the row has changed since the snapshot
  3101, // Group Replication: a failed certification
]);
/** The server takes no writes: it was made a replica, or is fenced for a failover. */
const READ_ONLY: ReadonlySet<unknown> = new Set([1290, 1836]);
/** What `SERVER_UNAVAILABLE` says, where the driver has no name of its own or one that says little. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  1047, // a Galera node that has lost its cluster, or does not have all of its data yet
  1180, // a commit that failed in the server
  1927, // MariaDB: an administrator or a shutdown has ended the connection
  3100, // Group Replication: the group is lost
]);

/** A statement found no space on the server's disk; the second is InnoDB's, when a file cannot grow. */
const DISK_FULL: ReadonlySet<unknown> = new Set([1021, 1114]);
/** A write failed, or a commit; the message says why. */
const WRITE_FAILED: ReadonlySet<unknown> = new Set([3, 1026, 1030, 1180]);
/** 28 is ENOSPC. */
const NO_SPACE = /\berr(?:code|no|or):? 28\b|no space left on device/i;

/** The server is up but refuses connections, is shutting down, or cannot be written to (a failover, a full disk). */
const SERVER_UNAVAILABLE = new Set([
  'ER_CON_COUNT_ERROR',
  'ER_ACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
]);
/** Errors without a code and without `fatal`. */
const CONNECTIONLESS = new Set([
  'Pool is closed.',
  'Queue limit reached.',
  'No connections available.',
  'Connection is not established with mysql database',
]);

/**
 * True when a row violated a unique key.
 * @param key name of that key; any when left out
 */
export function isDuplicateKey(error: unknown, key?: string): boolean {
  const cause = driverError(error);
  if (cause?.errno !== DUPLICATE_KEY) return false;
  // MariaDB writes `for key 'name'`, MySQL 8 `for key 'table.name'`.
  const broken = /for key '(?:[^'.]*\.)?([^']*)'$/.exec(cause.sqlMessage ?? '')?.[1];
  return key === undefined || broken === key;
}

export function isMissingTable(error: unknown): boolean {
  return driverError(error)?.errno === NO_SUCH_TABLE;
}

/**
 * True when a statement failed because the database was unavailable. The statement is valid, and may or may not have
 * run.
 */
export function isConnectionLost(error: unknown): boolean {
  const cause = driverError(error);
  return (
    cause !== null &&
    (cause.fatal === true ||
      SERVER_UNAVAILABLE.has(cause.code ?? '') ||
      UNAVAILABLE.has(cause.errno) ||
      isDiskFull(cause) ||
      CONNECTIONLESS.has(cause.message) ||
      cause.name === 'CannotExecuteNotConnectedError')
  );
}

/** Checks the shape: in tests, Node's errors come from another realm and are no `instanceof Error`. */
function driverError(error: unknown): DriverError | null {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof cause === 'object' && cause !== null && 'message' in cause ? (cause as DriverError) : null;
}

/** True when the statement or COMMIT lost against another transaction: roll back and run it again. */
export function isLockConflict(error: unknown): boolean {
  return LOCK_CONFLICTS.has(driverError(error)?.errno);
}

/** True when the server refused to write or to commit because it is read-only. Nothing was committed. */
export function isReadOnly(error: unknown): boolean {
  return READ_ONLY.has(driverError(error)?.errno);
}

/** True when the server could not write for want of space on its disk. */
export function isDiskFull(error: unknown): boolean {
  const cause = driverError(error);
  if (cause === null) return false;
  return DISK_FULL.has(cause.errno) || (WRITE_FAILED.has(cause.errno) && NO_SPACE.test(cause.sqlMessage ?? ''));
}

/** The error code if there is one: drivers' messages may hold secrets. */
export function reasonOf(error: unknown): string {
  const cause = driverError(error);
  return cause?.code ?? cause?.message ?? 'unknown';
}
