import { RecentMap } from '../platform/caching/recent-map.js';
import { describeDecision, takeToken, type Bucket, type TokenDecision } from './token-bucket.js';

export interface LocalBucketsOptions {
  /** Beyond this the least recently used bucket is dropped, and is full again. */
  readonly maxBuckets?: number;
  /** Whole milliseconds since 1970. */
  readonly now?: () => number;
}

/** About 6 MB. */
const MAX_BUCKETS = 50_000;

/** The buckets of one process, used while Redis cannot keep them. */
export class LocalBuckets {
  private readonly buckets: RecentMap<Bucket>;
  private readonly now: () => number;

  constructor({ maxBuckets = MAX_BUCKETS, now = Date.now }: LocalBucketsOptions = {}) {
    this.buckets = new RecentMap(maxBuckets);
    this.now = now;
  }

  /**
   * Takes one token from a bucket if there is one.
   * @param capacity tokens per minute
   */
  take(name: string, capacity: number): TokenDecision {
    const { allowed, bucket } = takeToken(this.buckets.get(name), this.now(), capacity);
    this.buckets.set(name, bucket);
    return describeDecision(allowed, bucket, capacity);
  }
}
