/** Seconds in which a single's deferred probe has usually ended. */
export const PENDING_RETRY_AFTER_SECONDS = 2;
/** The same for the probes of a batch. */
export const BATCH_PENDING_RETRY_AFTER_SECONDS = 10;
