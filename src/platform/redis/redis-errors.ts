const UNREACHABLE = new Set([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
]);
/** Replies of a server that is there but cannot serve: starting, a replica, a cluster without a majority. */
const NOT_SERVING = /^(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN)\b/;

/** True when a command failed for want of Redis, and not for what it said. */
export function isRedisDown(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false;
  const { name, message } = error as Error;
  if (name === 'ReplyError') return NOT_SERVING.test(message);
  return name === 'MaxRetriesPerRequestError' || UNREACHABLE.has(message);
}
