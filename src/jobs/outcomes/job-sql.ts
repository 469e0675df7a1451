/** SQL condition on `job_entries`: no outcome yet. */
export const OPEN = 'facts IS NULL AND error IS NULL';
/** `due_at` of a chunk that waits until another chunk of its group is done. */
export const NOT_RELEASED = "'9999-12-31 00:00:00.000'";
