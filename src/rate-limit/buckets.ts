import type { LocalBuckets } from './local-buckets.js';
import { ANSWER_WITHIN_MS, type RedisBuckets } from './redis-buckets.js';
import type { TokenDecision } from './token-bucket.js';
import { DeadlineMissed } from '../platform/scheduling/within-deadline.js';
import { isRefusal } from '../platform/redis/redis-errors.js';

/** What a bucket belongs to: an API key by its id, or a client address as `clientNetwork` says it. */
export type BucketKind = 'key' | 'address';

export interface BucketsParts {
  readonly shared: Pick<RedisBuckets, 'take'>;
  /** Kept apart, so that a flood of addresses cannot push out the keys. */
  readonly local: Readonly<Record<BucketKind, Pick<LocalBuckets, 'take'>>>;
  /** Told once when Redis has ceased to keep buckets, with the error, and once when it keeps them again. */
  readonly onChange: (change: { readonly error: unknown } | 'kept again') => void;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/** After an answer that did not come, nobody waits for another one for so long. */
const PAUSE_MS = 500;

interface Outage {
  readonly since: number;
  /** Since when it has not even answered; null: it answers that it is full, or may only be read, or the like. */
  awaySince: number | null;
  /** Until when Redis is not asked. */
  pausedUntil: number;
}

/** Buckets that all processes share while Redis keeps them, and that each process keeps by itself while it does not. */
export class Buckets {
  private outage: Outage | null = null;
  private readonly now: () => number;

  constructor(private readonly parts: BucketsParts) {
    this.now = parts.now ?? (() => performance.now());
  }

  /** For how long Redis has not kept buckets, milliseconds; null while it does. */
  get outageMs(): number | null {
    return this.outage === null ? null : this.now() - this.outage.since;
  }

  /** For how long Redis has not answered at all, milliseconds; null while it does, be it with an error. */
  get awayMs(): number | null {
    const since = this.outage?.awaySince ?? null;
    return since === null ? null : this.now() - since;
  }

  /** Takes one token out of this bucket, if there is one. Never rejects. @param capacity tokens a minute */
  take(kind: BucketKind, id: string, capacity: number): Promise<TokenDecision> {
    const askedAt = this.now();
    const { shared, local } = this.parts;
    if (!this.mayAsk(askedAt)) return Promise.resolve(local[kind].take(id, capacity));
    // One step, not an asynchronous function: this is on the way of every request.
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

  /** In an outage one request at a time asks, so that Redis is found again and few wait for what does not come. */
  private mayAsk(now: number): boolean {
    if (this.outage === null) return true;
    if (now < this.outage.pausedUntil) return false;
    this.outage.pausedUntil = now + ANSWER_WITHIN_MS + PAUSE_MS;
    return true;
  }

  private noteAnswer(): void {
    if (this.outage === null) return;
    this.outage = null;
    this.parts.onChange('kept again');
  }

  private noteFailure(askedAt: number, error: unknown): void {
    if (this.outage === null) {
      this.outage = { since: askedAt, awaySince: null, pausedUntil: askedAt };
      this.parts.onChange({ error });
    }
    this.outage.awaySince = isRefusal(error) ? null : (this.outage.awaySince ?? askedAt);
    // A refusal was waited for by nobody: the next request asks again.
    this.outage.pausedUntil = error instanceof DeadlineMissed ? this.now() + PAUSE_MS : askedAt;
  }
}
