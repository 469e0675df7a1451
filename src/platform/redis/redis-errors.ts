const UNREACHABLE = new Set([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
]);
/**
 * Errors of a server that is up but cannot serve: starting, full, a replica, a failed disk or failed replicas, a
 * cluster without a majority, an account without permission. Older servers put a dash before the code of an error
 * inside a script.
 */
const NOT_SERVING = /(^|-)(LOADING|OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOPERM)\b/;

/** True when a command failed because Redis was unavailable, not because of the command. */
export function isRedisDown(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false;
  const { name, message } = error as Error;
  if (isRefusal(error)) return NOT_SERVING.test(message);
  return name === 'MaxRetriesPerRequestError' || UNREACHABLE.has(message);
}

/**
 * True when Redis answered with an error: it is up but refuses the command, for instance because it is full or
 * read-only.
 */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
