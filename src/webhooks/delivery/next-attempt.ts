/** Delays after the first, second, … failed attempt. After the last one the delivery has failed. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;
/** Deliveries that failed together do not come back together. */
const JITTER = 0.1;
/** Nobody is waited for longer, whatever the receiver asks for. */
const LONGEST_MS = 24 * HOUR;

/**
 * Milliseconds until the next attempt; null: there is none.
 * @param attempts made so far
 * @param retryAfterMs what the receiver asked for
 * @param random between 0 and 1
 */
export function nextAttemptMs(attempts: number, retryAfterMs: number | null, random = Math.random()): number | null {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_MS);
  return Math.round(Math.max(delay, asked) * (1 + JITTER * random));
}

/** Reads `Retry-After`: seconds or a date (RFC 9110 10.2.3); null where there is none. */
export function readRetryAfter(header: string | null, now = new Date()): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
