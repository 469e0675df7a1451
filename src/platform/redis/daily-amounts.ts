import type { Redis } from 'ioredis';
import { withinDeadline } from '../scheduling/within-deadline.js';

const DAY_SECONDS = 24 * 60 * 60;
/** As long as the rate limit waits. */
const ANSWER_WITHIN_MS = 400;

/** Returns 0 where the amount was added, else the seconds until the day of this name is over. */
const ADD_AMOUNT = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used + tonumber(ARGV[1]) > tonumber(ARGV[2]) then
  local left = redis.call('TTL', KEYS[1])
  return left > 0 and left or tonumber(ARGV[3])
end
redis.call('INCRBY', KEYS[1], ARGV[1])
if used == 0 then redis.call('EXPIRE', KEYS[1], ARGV[3]) end
return 0`;

interface Scripts {
  mailvetAddAmount(keys: 1, key: string, amount: number, limit: number, seconds: number): Promise<number>;
}

/** What callers use up of something in a day, counted for all processes together. A day begins with the first amount. */
export class DailyAmounts {
  private readonly scripts: Scripts;

  constructor(redis: Redis) {
    redis.defineCommand('mailvetAddAmount', { lua: ADD_AMOUNT });
    this.scripts = redis as Redis & Scripts;
  }

  /**
   * Adds an amount, unless the day would have more than the limit.
   * @param name what is counted, and for whom
   * @returns null when it was added, or while Redis does not answer: the rate limit bounds what is added then; else the
   *   seconds until the day is over
   */
  async add(name: string, amount: number, limit: number): Promise<number | null> {
    try {
      const adding = this.scripts.mailvetAddAmount(1, `mailvet:day:{${name}}`, amount, limit, DAY_SECONDS);
      return (await withinDeadline(adding, ANSWER_WITHIN_MS)) || null;
    } catch {
      return null;
    }
  }
}
