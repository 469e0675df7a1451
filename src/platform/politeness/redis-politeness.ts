import type { Redis } from 'ioredis';
import { FailoverThrottleStore } from './failover-throttle-store.js';
import { LimitedPoliteness, type PolitenessState } from './limited-politeness.js';
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
  private readonly failover: FailoverThrottleStore;

  constructor(redis: Redis, { limits, ...backOff }: RedisPolitenessOptions) {
    const failover = new FailoverThrottleStore(new RedisThrottleStore(redis, backOff), new LocalThrottleStore(backOff));
    super(failover, { limits });
    this.failover = failover;
  }

  /** For metrics. `shared`: Redis keeps the limits; otherwise each process does. */
  override get state(): PolitenessState & { readonly shared: boolean } {
    return { ...super.state, shared: this.failover.isShared };
  }
}
