const UNREACHABLE = new Set([
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
  'None of startup nodes is available',
  'Failed to refresh slots cache.',
  'Cluster is ended.',
]);
/** What ioredis says of a command that a cluster has sent from node to node. */
const SENT_ON = /^Too many Cluster redirections\b/;
/**
 * Errors of a server that sends us to another one, or waits for one: it starts, its cluster elects, a slot moves, or it
 * became a replica while a command waited.
 */
const NO_PRIMARY = /(^|-)(LOADING|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED)\b/;
/**
 * Errors of a server that is up but cannot serve: full, a replica, a failed disk or failed replicas, an account without
 * permission. Older servers put a dash before the code of an error inside a script.
 */
const NOT_SERVING = /(^|-)(OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|BUSY|NOPERM)\b/;

/** True when a command failed because Redis was unavailable, not because of the command. */
export function isRedisDown(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false;
  const { name, message } = error as Error;
  if (isRefusal(error)) return NOT_SERVING.test(message) || NO_PRIMARY.test(message);
  return name === 'MaxRetriesPerRequestError' || UNREACHABLE.has(message) || SENT_ON.test(message);
}

/**
 * True when Redis answered with an error: it is up but refuses the command, for instance because it is full or
 * read-only.
 */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

/**
 * True when a server answered that none serves these keys: while Sentinel or a cluster elects a primary, for instance.
 * Redis is then away, although it answers.
 */
export function isWithoutPrimary(error: unknown): boolean {
  return isRefusal(error) && NO_PRIMARY.test(error.message);
}
