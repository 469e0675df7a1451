import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { withinDeadline } from '../scheduling/within-deadline.js';

const DAY_SECONDS = 24 * 60 * 60;
/** The same wait as for the rate limit. */
const ANSWER_WITHIN_MS = 400;

/** Returns 0 if it added the amount, otherwise the seconds until the day of this name ends. */
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

/**
 * Counts daily usage per caller across all processes. A day starts with the first amount. No `RedisFailover`: a process
 * that does not know the day's count cannot count on from it.
 */
@Injectable()
export class DailyAmounts {
  private readonly scripts: Redis & Scripts;

  constructor(redis: Redis) {
    redis.defineCommand('mailvetAddAmount', { lua: ADD_AMOUNT });
    this.scripts = redis as Redis & Scripts;
  }

  /**
   * Adds an amount, unless it exceeds the limit of the day.
   * @param name the counted thing and the caller
   * @returns null if it was added, or if Redis does not answer (the rate limit still applies); otherwise the seconds
   * until the day ends
   */
  async add(name: string, amount: number, limit: number): Promise<number | null> {
    try {
      const adding = this.scripts.mailvetAddAmount(1, keyOf(name), amount, limit, DAY_SECONDS);
      return (await withinDeadline(adding, ANSWER_WITHIN_MS)) || null;
    } catch {
      return null;
    }
  }

  /**
   * Deletes today's count of a name.
   * @throws the client's error
   */
  async forget(name: string): Promise<void> {
    await this.scripts.del(keyOf(name));
  }
}

function keyOf(name: string): string {
  return `mailvet:day:{${name}}`;
}
