/** Milliseconds of the Redis server's clock, which all processes share. */
const CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * `Leases.acquire`.
 * KEYS: lease (its holder's token), completions (rank of the stored result, 0 for none -> when).
 * ARGV: token, lease ms, `now` and `until` of the last poll or ''.
 * Answers `{1 when taken, now, until, rank of the deepest completion or 0}`.
 */
export const ACQUIRE_LEASE = `${CLOCK}
local since, seen_until = tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[2], '0', '1', '2')
local completed, ended = 0, false
for rank = 0, 2 do
  local at = kept[rank + 1]
  if at and tonumber(at) >= (since or 0) then completed, ended = rank, true end
end
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return {0, now, now + redis.call('PTTL', KEYS[1]), completed} end
if since and not holder and not ended and now < seen_until then return {0, now, seen_until, 0} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {1, now, now + ARGV[2], completed}
`;

/** `Leases.renew`. KEYS: lease, stage. ARGV: token, lease ms, stage or ''. */
export const RENEW_LEASE = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if ARGV[3] ~= '' then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2]) end
return 1
`;

/**
 * `Leases.complete`. KEYS: lease, completions, stage. ARGV: token, rank of the stored result or 0, ms to remember it,
 * channel, hash.
 * A holder that lost its lease to another frees nothing, but its result still counts. Answers the time.
 */
export const COMPLETE_LEASE = `${CLOCK}
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then redis.call('DEL', KEYS[1], KEYS[3]) end
if holder and holder ~= ARGV[1] and ARGV[2] == '0' then return now end
redis.call('HSET', KEYS[2], ARGV[2], now)
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[2] .. ARGV[5])
return now
`;
