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
const LOCK_WAIT_TIMEOUT = 1205;
const DEADLOCK = 1213;

/** The server is up but refuses connections, is shutting down, or cannot be written to (a failover, a full disk). */
const SERVER_UNAVAILABLE = new Set([
  'ER_CON_COUNT_ERROR',
  'ER_ACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_DISK_FULL',
  // InnoDB's error when a file cannot grow.
  'ER_RECORD_FILE_FULL',
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
      CONNECTIONLESS.has(cause.message) ||
      cause.name === 'CannotExecuteNotConnectedError')
  );
}

/** Checks the shape: in tests, Node's errors come from another realm and are no `instanceof Error`. */
function driverError(error: unknown): DriverError | null {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof cause === 'object' && cause !== null && 'message' in cause ? (cause as DriverError) : null;
}

/** True when the statement lost a lock (deadlock, timeout): roll back the transaction and retry it. */
export function isLockConflict(error: unknown): boolean {
  const cause = driverError(error);
  return cause?.errno === LOCK_WAIT_TIMEOUT || cause?.errno === DEADLOCK;
}
