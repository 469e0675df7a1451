/** The queue of maintenance tasks: a job is named after its task and carries nothing. */
export const MAINTENANCE_QUEUE = 'maintenance';

/** Of all keys of our queues; the braces keep them in one slot of a cluster. */
export const QUEUE_PREFIX = '{mailvet}';

/** A job that ends leaves nothing: what a task could not do it does next time. */
export const MAINTENANCE_JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
