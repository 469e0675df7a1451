/** States of a job that runs or will run. A job in any other state has lost its place, and its id stays taken. */
export const LIVE_STATES: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'delayed', 'active']);

/** Keeps no finished jobs, even where Redis has deleted the job's own options. */
export const KEEP_NONE = { count: 0 } as const;
