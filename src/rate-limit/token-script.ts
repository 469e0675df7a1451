import { PARTS_PER_TOKEN, WINDOW_MS } from './token-bucket.js';

/**
 * `takeToken` as one atomic step for all processes, by the clock of Redis, for any number of buckets and of tokens
 * from each. KEYS: buckets, each a text `<missing> <at>`. ARGV: for each bucket its capacity and the number of
 * requested tokens (default 1). Returns for each bucket: granted tokens, missing parts after that, and the time. A
 * bucket expires when it is full; the extra second keeps the expiry out of the arithmetic. A refusal writes the bucket
 * too: after the clock went back, `at` must not stay in the future.
 */
export const TAKE_TOKEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
for i, key in ipairs(KEYS) do
  local capacity = tonumber(ARGV[i * 2 - 1])
  local wanted = tonumber(ARGV[i * 2] or 1)
  local full = capacity * ${PARTS_PER_TOKEN}
  local missing = 0
  local stored = redis.call('GET', key)
  if stored then
    local kept, at = string.match(stored, '^(%d+) (%d+)$')
    missing = math.max(0, math.min(tonumber(kept), full) - math.max(0, now - tonumber(at)) * capacity)
  end
  local given = math.min(wanted, math.floor((full - missing) / ${PARTS_PER_TOKEN}))
  missing = missing + given * ${PARTS_PER_TOKEN}
  redis.call('SET', key, string.format('%.0f %.0f', missing, now), 'PX', ${WINDOW_MS + 1000})
  answer[i * 3 - 2] = given
  answer[i * 3 - 1] = missing
  answer[i * 3] = now
end
return answer
`;
