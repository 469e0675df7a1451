/**
 * The server's clock in milliseconds, which all processes share; only tests pass a time. Keys expire `SPARE` after
 * their last use: expiry only cleans up, the values themselves say what holds.
 */
const CLOCK = `
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function recall(key)
  local kept = redis.call('HMGET', key, 'strikes', 'until', 'forget')
  if not kept[1] or tonumber(kept[3]) <= now then return 0, 0 end
  return tonumber(kept[1]), tonumber(kept[2])
end
local SPARE = 60000
`;

/** Delay before a request that let others go first asks again. */
const TURN_MS = 25;
/** Most waiting requesters to look at. */
const MOST_LOOKED_AT = 100;

/**
 * `decidePermit` as one atomic step for all processes, with fair turns: a requester that has used more of the pace than
 * another waiting one lets that one go first. A requester told to wait counts as waiting until it should have asked
 * again. KEYS: connections, rate, refusals of the provider, refusals of the domain, shares, waiting. ARGV: now or '',
 * lease id ('' where no connection is requested), lease ms, connections allowed, recipients, interval ms, burst ms,
 * requester, its patience in ms, poll interval for connections in ms, tolerated lateness of a waiter in ms. Returns
 * `{kind, wait ms}`.
 */
export const ACQUIRE_PERMIT = `${CLOCK}
local lease_ms, allowed, recipients = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local interval, burst = tonumber(ARGV[6]), tonumber(ARGV[7])
local requester, patience, look, late = ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local function wait(kind, ms, back_in)
  if patience > 0 then
    local until_then = now + math.min(back_in, patience) + late
    redis.call('ZADD', KEYS[6], until_then, requester)
    redis.call('PEXPIRE', KEYS[6], until_then - now + SPARE)
  end
  return {kind, ms}
end
local _, provider_until = recall(KEYS[3])
local _, domain_until = recall(KEYS[4])
if math.max(provider_until, domain_until) > now then return {'backed_off', 0} end

local start, cost = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), now), recipients * interval
local early = start + math.min(cost, burst) - burst - now
if early > 0 then return wait('rate', early, early) end

if ARGV[2] ~= '' then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= allowed then
    local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    local left = tonumber(first[2]) - now
    return wait('connections', left, math.min(left, look))
  end
end

redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', now - SPARE)
local function used(whose) return tonumber(redis.call('ZSCORE', KEYS[5], whose) or '0') end
local own = used(requester)
for _, other in ipairs(redis.call('ZRANGE', KEYS[6], 0, ${MOST_LOOKED_AT - 1})) do
  if other ~= requester and used(other) < own then return wait('turn', ${TURN_MS}, ${TURN_MS}) end
end
redis.call('ZREM', KEYS[6], requester)
redis.call('ZADD', KEYS[5], math.max(own, now) + cost, requester)
redis.call('PEXPIRE', KEYS[5], math.max(own, now) + cost - now + SPARE)

if ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[1], now + lease_ms, ARGV[2])
  if redis.call('PTTL', KEYS[1]) < lease_ms + SPARE then redis.call('PEXPIRE', KEYS[1], lease_ms + SPARE) end
end
redis.call('SET', KEYS[2], start + cost, 'PX', start + cost - now + SPARE)
return {'granted', 0}
`;

/**
 * Ends a lease, counts further recipients and applies `afterOutcome`. KEYS: connections, refusals of the provider,
 * refusals of the domain, rate. ARGV: now or '', lease id, kind of outcome, delay asked for in ms, strikes for the
 * provider, strikes for the domain, first pause, longest pause, memory, the pace of further recipients in ms. Returns the ends of pauses that begin, of the provider and of the domain; 0: none.
 */
export const RELEASE_PERMIT = `${CLOCK}
local kind, asked = ARGV[3], tonumber(ARGV[4])
local first, longest, memory = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
redis.call('ZREM', KEYS[1], ARGV[2])
local further = tonumber(ARGV[10])
if further > 0 then
  local pace = math.max(tonumber(redis.call('GET', KEYS[4]) or '0'), now) + further
  redis.call('SET', KEYS[4], pace, 'PX', pace - now + SPARE)
end
if kind == 'no_answer' then return {0, 0} end
local provider_strikes, provider_until = recall(KEYS[2])
local domain_strikes, domain_until = recall(KEYS[3])

if kind == 'served' then
  if provider_until <= now then redis.call('DEL', KEYS[2]) end
  if domain_until <= now then redis.call('DEL', KEYS[3]) end
  return {0, 0}
end

local function strike(key, strikes, paused_until, enough, at_once)
  if paused_until > now then return 0 end
  strikes = strikes + 1
  if at_once then strikes = math.max(strikes, enough) end
  paused_until = 0
  if strikes >= enough then
    paused_until = now + math.min(longest, math.max(first * 2 ^ (strikes - enough), asked))
  end
  local forget = math.max(paused_until, now) + memory
  redis.call('HSET', key, 'strikes', strikes, 'until', paused_until, 'forget', forget)
  redis.call('PEXPIRE', key, forget - now + SPARE)
  return paused_until
end
local provider_pause = 0
if domain_strikes == 0 then
  provider_pause = strike(KEYS[2], provider_strikes, provider_until, tonumber(ARGV[5]), false)
end
return {provider_pause, strike(KEYS[3], domain_strikes, domain_until, tonumber(ARGV[6]), kind == 'session_refused' or asked > 0)}
`;
