/** Seconds after which a probe that was left to the worker has usually ended. */
export const PENDING_RETRY_AFTER_SECONDS = 2;
/** Those of a whole list take this long, or a little more. */
export const BATCH_PENDING_RETRY_AFTER_SECONDS = 10;
