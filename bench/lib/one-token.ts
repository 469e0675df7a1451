import type { Redis } from 'ioredis';
import { describeDecision, type TokenDecision } from '../../src/rate-limit/token-bucket.js';
import { TAKE_TOKEN } from '../../src/rate-limit/token-script.js';

interface Scripts {
  benchTakeToken(key: string, capacity: number): Promise<[given: number, missing: number, at: number]>;
}

/** Takes one token with the product's script, one call each: the naive way. */
export function tokenByToken(redis: Redis): (bucket: string, capacity: number) => Promise<TokenDecision> {
  redis.defineCommand('benchTakeToken', { lua: TAKE_TOKEN, numberOfKeys: 1 });
  const scripts = redis as Redis & Scripts;
  return async (bucket, capacity) => {
    const [given, missing, at] = await scripts.benchTakeToken(`mailvet:bench:{${bucket}}`, capacity);
    return describeDecision(given === 1, { missing, at }, capacity);
  };
}
