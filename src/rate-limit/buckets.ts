import { Injectable, Optional } from '@nestjs/common';
import { RedisFailover } from '../platform/redis/redis-failover.js';
import { DeadlineMissed } from '../platform/scheduling/within-deadline.js';
import { LocalBuckets } from './local-buckets.js';
import { RedisBuckets } from './redis-buckets.js';
import type { TokenDecision } from './token-bucket.js';

/** The owner of a bucket: an API key by its id, or a client network as `clientNetwork` names it. */
type BucketKind = 'key' | 'address';

const RETRY_MS = 500;

/** Token buckets. All processes share them in Redis; during an outage of Redis each process counts by itself. */
@Injectable()
export class Buckets {
  /** One map per kind, so that a flood of addresses cannot evict the keys. */
  private readonly local: Readonly<Record<BucketKind, LocalBuckets>> = {
    key: new LocalBuckets(),
    address: new LocalBuckets(),
  };
  private readonly failover: RedisFailover;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly shared: RedisBuckets,
    @Optional() now?: () => number,
  ) {
    this.failover = new RedisFailover({
      name: 'RateLimit',
      lost: 'Redis does not keep rate limits: each process applies its own',
      back: 'rate limits are shared by all processes again',
      retryMs: RETRY_MS,
      // Any other error came at once: the next request asks again.
      pausesAfter: (error) => error instanceof DeadlineMissed,
      now,
    });
  }

  /** How long Redis has not kept buckets, milliseconds; null while it does. */
  get outageMs(): number | null {
    return this.failover.outageMs;
  }

  /** How long Redis has not answered at all, milliseconds; null while it answers, even with an error. */
  get awayMs(): number | null {
    return this.failover.awayMs;
  }

  /** Takes one token out of this bucket if there is one. Never rejects. @param capacity tokens a minute */
  take(kind: BucketKind, id: string, capacity: number): Promise<TokenDecision> {
    return this.failover.ask(
      () => this.shared.take(`${kind}:${id}`, capacity),
      () => this.local[kind].take(id, capacity),
    );
  }
}
