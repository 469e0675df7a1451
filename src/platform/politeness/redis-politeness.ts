import type { Redis } from 'ioredis';
import { FailoverThrottleStore } from './failover-throttle-store.js';
import { LimitedPoliteness } from './limited-politeness.js';
import type { Limits } from './limits.js';
import { LocalThrottleStore } from './local-throttle-store.js';
import { RedisThrottleStore } from './redis-throttle-store.js';
import type { BackOffOptions } from './refusals.js';

export interface RedisPolitenessOptions extends Partial<BackOffOptions> {
  /** For hosts outside the provider table. */
  readonly limits: Limits;
}

/** Politeness towards mail hosts. All processes share its limits in Redis (decisions 6.6). */
export class RedisPoliteness extends LimitedPoliteness {
  constructor(redis: Redis, { limits, ...backOff }: RedisPolitenessOptions) {
    const shared = new RedisThrottleStore(redis, backOff);
    super(new FailoverThrottleStore(shared, new LocalThrottleStore(backOff)), { limits });
  }
}
