import type { Redis } from 'ioredis';
import { describeDecision, type TokenDecision } from './token-bucket.js';
import { TAKE_TOKEN } from './token-script.js';

interface Scripts {
  mailvetTakeToken(bucket: string, capacity: number): Promise<[allowed: 0 | 1, missing: number, at: number]>;
}

/** The buckets of all processes, in Redis: one round trip a token. */
export class RedisBuckets {
  private readonly scripts: Scripts;

  constructor(redis: Redis) {
    redis.defineCommand('mailvetTakeToken', { lua: TAKE_TOKEN, numberOfKeys: 1 });
    this.scripts = redis as Redis & Scripts;
  }

  /**
   * Takes one token out of the bucket of this name, if there is one.
   * @param capacity tokens a minute
   * @throws whatever Redis or the client says when the token could not be asked for; it may have been taken
   */
  async take(name: string, capacity: number): Promise<TokenDecision> {
    // The part in braces alone decides where a Redis cluster keeps it.
    const [allowed, missing, at] = await this.scripts.mailvetTakeToken(`mailvet:rate:{${name}}`, capacity);
    return describeDecision(allowed === 1, { missing, at }, capacity);
  }
}
