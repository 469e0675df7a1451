/** SQL for the moment it is, UTC, by the database's clock. */
export const NOW = 'UTC_TIMESTAMP(3)';
/** Of `job_entries`: without an outcome. */
export const OPEN = 'facts IS NULL AND error IS NULL';
/** `due_at` of a chunk that waits until another of its group is done. */
export const NOT_RELEASED = "'9999-12-31 00:00:00.000'";

/** SQL for a moment so many milliseconds from now. */
export function inMs(ms: number): string {
  return `${NOW} + INTERVAL ${Math.round(ms) * 1000} MICROSECOND`;
}
