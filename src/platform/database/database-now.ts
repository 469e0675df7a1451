/** SQL for the current time in UTC, by the database's clock. */
export const NOW = 'UTC_TIMESTAMP(3)';

/** SQL for the time in `ms` milliseconds. @param now SQL for the current time */
export function inMs(ms: number, now = NOW): string {
  return `${now} + INTERVAL ${Math.round(ms * 1000)} MICROSECOND`;
}

/** The current time as a value for TypeORM's `insert` and `update`. */
export const databaseNow = (): string => NOW;
