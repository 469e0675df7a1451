/** Longest wait for a busy host: a waiter keeps other addresses from their hosts. */
export const PATIENCE_MS = 3000;
/** Added to the time budget of a wave per recipient: some hosts take this long for each. */
export const EACH_MS = 500;
