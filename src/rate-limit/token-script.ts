import { PARTS_PER_TOKEN, WINDOW_MS } from './token-bucket.js';

/**
 * `takeToken` as one step for all processes, by the clock of Redis, which they share.
 * KEYS: the bucket, a text `<missing> <at>`. ARGV: capacity.
 * Answers `{1 when allowed, missing, at}`.
 *
 * A bucket is forgotten when it is full in any case; the second more keeps the expiry out of the arithmetic. It is
 * written on a refusal too: after a clock that went back, `at` must not stay in the future.
 */
export const TAKE_TOKEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity = tonumber(ARGV[1])
local full = capacity * ${PARTS_PER_TOKEN}
local missing = 0
local stored = redis.call('GET', KEYS[1])
if stored then
  local kept, at = string.match(stored, '^(%d+) (%d+)$')
  missing = math.max(0, math.min(tonumber(kept), full) - math.max(0, now - tonumber(at)) * capacity)
end
local allowed = missing + ${PARTS_PER_TOKEN} <= full
if allowed then missing = missing + ${PARTS_PER_TOKEN} end
redis.call('SET', KEYS[1], string.format('%.0f %.0f', missing, now), 'PX', ${WINDOW_MS + 1000})
return {allowed and 1 or 0, missing, now}
`;
