/** Holds the lease when it is free or the asker's own. */
const HOLD = `
local function hold()
  local holder = redis.call('GET', KEYS[1])
  if holder and holder ~= ARGV[1] then return false end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return true
end
`;

/** Milliseconds of the server's clock, which all processes share. */
const CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * KEYS: lease, landings. ARGV: token, lease ms, rank wanted, since or ''.
 * Answers `{1 when taken, now, rank of the deepest landing since then or 0}`. Who has waited and is answered by a landing
 * does not take: the message of it was lost.
 */
export const TAKE_LEASE = `${HOLD}${CLOCK}
local since = tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[2], '1', '2')
local landed = 0
for rank = 1, 2 do
  if kept[rank] and tonumber(kept[rank]) >= (since or 0) then landed = rank end
end
if since and landed >= tonumber(ARGV[3]) then return {0, now, landed} end
return {hold() and 1 or 0, now, landed}
`;

/** KEYS: lease. ARGV: token, lease ms. */
export const RENEW_LEASE = `${HOLD}
return hold() and 1 or 0
`;

/**
 * KEYS: lease, landings. ARGV: token, rank, 1 when a result was stored, ms to remember it, channel, hash.
 * A holder whose lease is another's by now frees nothing, and its result counts all the same.
 */
export const LAND_LEASE = `${CLOCK}
local stored = ARGV[3] == '1'
local freed = redis.call('GET', KEYS[1]) == ARGV[1]
if freed then redis.call('DEL', KEYS[1]) end
if stored then
  redis.call('HSET', KEYS[2], ARGV[2], now)
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
end
if freed or stored then redis.call('PUBLISH', ARGV[5], (stored and ARGV[2] or '0') .. ARGV[6]) end
return freed and 1 or 0
`;
