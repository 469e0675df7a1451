import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { FailoverThrottleStore } from './failover-throttle-store.js';
import { LimitedPoliteness, type PolitenessState } from './limited-politeness.js';
import type { Limits } from './limits.js';
import { LocalThrottleStore } from './local-throttle-store.js';
import { RedisThrottleStore } from './redis-throttle-store.js';
import type { BackOffOptions } from './refusals.js';

export interface RedisPolitenessOptions extends Partial<BackOffOptions> {
  /** For hosts that are not in the provider table. */
  readonly limits: Limits;
}

/** Politeness towards mail hosts, kept in Redis by all processes together (decisions 6.6). */
export class RedisPoliteness extends LimitedPoliteness {
  private readonly book: FailoverThrottleStore;

  constructor(redis: Redis, { limits, ...backOff }: RedisPolitenessOptions) {
    const logger = new Logger('Politeness');
    const book = new FailoverThrottleStore(new RedisThrottleStore(redis, backOff), new LocalThrottleStore(backOff), {
      onChange: (error) => {
        if (error === null) logger.log('limits towards mail hosts are shared again');
        else logger.warn({ err: error }, 'limits towards mail hosts hold per process: Redis does not keep them');
      },
    });
    super(book, { limits });
    this.book = book;
  }

  /** For metrics. `shared`: Redis keeps the limits; else each process by itself. */
  override get state(): PolitenessState & { readonly shared: boolean } {
    return { ...super.state, shared: this.book.isShared };
  }
}
