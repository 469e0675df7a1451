const UNREACHABLE = new Set([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
]);
/**
 * Replies of a server that is there but cannot serve: starting, full, a replica, one whose disk or replicas fail it, a cluster
 * without a majority, an account without the right. Older servers put the code of an error inside a script behind a dash.
 */
const NOT_SERVING = /(^|-)(LOADING|OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOPERM)\b/;

/** True when a command failed for want of Redis, and not for what it said. */
export function isRedisDown(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false;
  const { name, message } = error as Error;
  if (isRefusal(error)) return NOT_SERVING.test(message);
  return name === 'MaxRetriesPerRequestError' || UNREACHABLE.has(message);
}

/**
 * True when Redis answered, with an error: it is there, and does not do what it is asked, because it is full or may only be read,
 * for instance.
 */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
