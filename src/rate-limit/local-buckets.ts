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
  private readonly buckets = new Map<string, Bucket>();
  private readonly maxBuckets: number;
  private readonly now: () => number;

  constructor({ maxBuckets = MAX_BUCKETS, now = Date.now }: LocalBucketsOptions = {}) {
    this.maxBuckets = maxBuckets;
    this.now = now;
  }

  /**
   * Takes one token from a bucket if there is one.
   * @param capacity tokens per minute
   */
  take(name: string, capacity: number): TokenDecision {
    const { allowed, bucket } = takeToken(this.buckets.get(name), this.now(), capacity);
    this.buckets.delete(name);
    this.buckets.set(name, bucket);
    if (this.buckets.size > this.maxBuckets) this.forgetOldest();
    return describeDecision(allowed, bucket, capacity);
  }

  private forgetOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
