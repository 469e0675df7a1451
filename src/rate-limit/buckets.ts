import { Injectable, Logger, Optional } from '@nestjs/common';
import { LocalBuckets } from './local-buckets.js';
import { ANSWER_WITHIN_MS, RedisBuckets } from './redis-buckets.js';
import type { TokenDecision } from './token-bucket.js';
import { DeadlineMissed } from '../platform/scheduling/within-deadline.js';
import { isRefusal } from '../platform/redis/redis-errors.js';

/** The owner of a bucket: an API key by its id, or a client network as `clientNetwork` names it. */
type BucketKind = 'key' | 'address';

/** After Redis missed a deadline, no request asks it for this long. */
const PAUSE_MS = 500;

interface Outage {
  readonly since: number;
  /** When Redis stopped to answer; null: it answers with an error, because it is full or read-only for example. */
  awaySince: number | null;
  /** No request asks Redis before this. */
  pausedUntil: number;
}

/** Token buckets. All processes share them in Redis; during an outage of Redis each process counts by itself. */
@Injectable()
export class Buckets {
  private readonly logger = new Logger('RateLimit');
  /** One map per kind, so that a flood of addresses cannot evict the keys. */
  private readonly local: Readonly<Record<BucketKind, LocalBuckets>> = {
    key: new LocalBuckets(),
    address: new LocalBuckets(),
  };
  private outage: Outage | null = null;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly shared: RedisBuckets,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {}

  /** How long Redis has not kept buckets, milliseconds; null while it does. */
  get outageMs(): number | null {
    return this.outage === null ? null : this.now() - this.outage.since;
  }

  /** How long Redis has not answered at all, milliseconds; null while it answers, even with an error. */
  get awayMs(): number | null {
    const since = this.outage?.awaySince ?? null;
    return since === null ? null : this.now() - since;
  }

  /** Takes one token out of this bucket if there is one. Never rejects. @param capacity tokens a minute */
  take(kind: BucketKind, id: string, capacity: number): Promise<TokenDecision> {
    const askedAt = this.now();
    const { shared, local } = this;
    if (!this.mayAsk(askedAt)) return Promise.resolve(local[kind].take(id, capacity));
    // Promise callbacks rather than an async function: every request comes here.
    return shared.take(`${kind}:${id}`, capacity).then(
      (decision) => {
        this.noteAnswer();
        return decision;
      },
      (error: unknown) => {
        this.noteFailure(askedAt, error);
        return local[kind].take(id, capacity);
      },
    );
  }

  /** During an outage one request at a time asks Redis, so that few wait and the end of the outage is found. */
  private mayAsk(now: number): boolean {
    if (this.outage === null) return true;
    if (now < this.outage.pausedUntil) return false;
    this.outage.pausedUntil = now + ANSWER_WITHIN_MS + PAUSE_MS;
    return true;
  }

  private noteAnswer(): void {
    if (this.outage === null) return;
    this.outage = null;
    this.logger.log('rate limits are shared by all processes again');
  }

  private noteFailure(askedAt: number, error: unknown): void {
    if (this.outage === null) {
      this.outage = { since: askedAt, awaySince: null, pausedUntil: askedAt };
      this.logger.warn({ err: error }, 'Redis does not keep rate limits: each process applies its own');
    }
    this.outage.awaySince = isRefusal(error) ? null : (this.outage.awaySince ?? askedAt);
    // An error reply costs no waiting: the next request asks again.
    this.outage.pausedUntil = error instanceof DeadlineMissed ? this.now() + PAUSE_MS : askedAt;
  }
}
