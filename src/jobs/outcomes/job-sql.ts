/** SQL for the current time in UTC, by the database's clock. */
export const NOW = 'UTC_TIMESTAMP(3)';
/** SQL condition on `job_entries`: no outcome yet. */
export const OPEN = 'facts IS NULL AND error IS NULL';
/** `due_at` of a chunk that waits until another chunk of its group is done. */
export const NOT_RELEASED = "'9999-12-31 00:00:00.000'";

/** SQL for the time in `ms` milliseconds. */
export function inMs(ms: number): string {
  return `${NOW} + INTERVAL ${Math.round(ms) * 1000} MICROSECOND`;
}
