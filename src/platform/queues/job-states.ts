/** States of a job that runs or will run. A job in any other state has lost its place, and its id stays taken. */
export const LIVE_STATES: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'delayed', 'active']);

/** Options of every job. Redis keeps none that has ended: MySQL records the work, or the next run does it. */
export const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
