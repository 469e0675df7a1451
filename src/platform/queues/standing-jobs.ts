/** States of a job that is run, or will be. One in any other has lost its place, and its id is taken for ever. */
export const STANDS_IN: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'delayed', 'active']);

/** Jobs that end leave nothing, also those whose own options Redis has deleted. */
export const KEPT_NOWHERE = { count: 0 } as const;
