import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import type { AttemptCounters } from './attempt-counters.js';

const ANSWER_WITHIN_MS = 400;

/** KEYS: counters. ARGV: the limit of each, then the seconds of the window. */
const TAKE = `
local wait = 0
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[i]) then
    wait = math.max(wait, redis.call('TTL', key), 1)
  end
end
if wait > 0 then return wait end
for _, key in ipairs(KEYS) do
  if redis.call('INCR', key) == 1 then redis.call('EXPIRE', key, ARGV[#KEYS + 1]) end
end
return 0`;

const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end`;

interface Scripts {
  mailvetTakeTry(keys: number, ...keysAndLimits: (string | number)[]): Promise<number>;
  mailvetGiveBackTry(keys: number, ...keysToLower: string[]): Promise<void>;
}

/** The counters that all processes share. Rejects when Redis does not answer in time. */
@Injectable()
export class RedisAttemptCounters implements AttemptCounters {
  private readonly scripts: Scripts;

  constructor(redis: Redis) {
    redis.defineCommand('mailvetTakeTry', { lua: TAKE });
    redis.defineCommand('mailvetGiveBackTry', { lua: GIVE_BACK });
    this.scripts = redis as Redis & Scripts;
  }

  take(names: readonly string[], limits: readonly number[], windowSeconds: number): Promise<number> {
    const taking = this.scripts.mailvetTakeTry(names.length, ...names.map(keyOf), ...limits, windowSeconds);
    return withinDeadline(taking, ANSWER_WITHIN_MS);
  }

  giveBack(names: readonly string[]): Promise<void> {
    return withinDeadline(this.scripts.mailvetGiveBackTry(names.length, ...names.map(keyOf)), ANSWER_WITHIN_MS);
  }
}

/** One slot for all, since a script's keys must be on one node of a cluster: sign-ins are few. */
function keyOf(name: string): string {
  return `mailvet:signin:{all}:${name}`;
}
