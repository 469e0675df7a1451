import { Injectable, Optional } from '@nestjs/common';
import { ReadBatcher } from '../platform/batching/read-batcher.js';
import type { Caller } from './caller.js';
import { ExpiringMap } from '../platform/caching/expiring-map.js';
import { KeyLookupRepository, type KeyInForce } from './key-lookup.repository.js';

/** Revocation and suspension take effect in every process within 5 s (decisions 2.1). */
export const SUSPENDED_WITHIN_MS = 5000;
/** A request itself gets the remaining second. */
const CALLER_LIFE_MS = SUSPENDED_WITHIN_MS - 1000;
/** Short, so that a resumed account is served soon. Long enough that a client that repeats a dead key costs little. */
const STRANGER_LIFE_MS = 2000;
const MAX_CALLERS = 20_000;
/** A map of its own, so that invented keys cannot evict real ones. */
const MAX_STRANGERS = 5000;
/** The database cannot keep up with more look-ups than these: refuse now rather than serve too late. */
const READS = { maxKeys: 100, maxWaiting: 1000, deadlineMs: 2000 };

/**
 * Finds the caller of a key by the key's hash, and caches it for seconds. Misses share one query at a time: the same hash is
 * read once, and a flood of invented keys holds one connection.
 */
@Injectable()
export class CallerDirectory {
  private readonly callers = new ExpiringMap<Caller>(MAX_CALLERS);
  private readonly strangers = new ExpiringMap<null>(MAX_STRANGERS);
  private readonly lookUps = new Map<string, Promise<Caller | null>>();
  private readonly reads: ReadBatcher<Caller>;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly keys: KeyLookupRepository,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {
    this.reads = new ReadBatcher((hashes) => this.readCallers(hashes), READS);
  }

  /** Returns the cached caller with this key, without a look-up. */
  remembered(hash: string): Caller | undefined {
    return this.callers.get(hash, this.now());
  }

  /**
   * Returns the caller with this key, or null if the key is not in force.
   * @throws AppError `service_unavailable` if the database does not answer in time
   */
  async find(hash: string): Promise<Caller | null> {
    const now = this.now();
    const known = this.callers.get(hash, now) ?? this.strangers.get(hash, now);
    if (known !== undefined) return known;
    return this.lookUps.get(hash) ?? this.lookUp(hash);
  }

  private lookUp(hash: string): Promise<Caller | null> {
    const found = this.reads
      .readOne(hash)
      .then((caller) => caller ?? null)
      .finally(() => void this.lookUps.delete(hash));
    this.lookUps.set(hash, found);
    return found;
  }

  private async readCallers(hashes: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
    // The cache life starts before the read, because its result may be that old.
    const startedAt = this.now();
    const found = await this.keys.findInForce(hashes);
    const callers = new Map<string, Caller>();
    for (const hash of hashes) {
      const caller = this.remember(hash, found.get(hash), startedAt);
      if (caller !== null) callers.set(hash, caller);
    }
    return callers;
  }

  private remember(hash: string, found: KeyInForce | undefined, startedAt: number): Caller | null {
    if (found === undefined) {
      this.strangers.set(hash, null, startedAt + STRANGER_LIFE_MS);
      return null;
    }
    const lifeMs = Math.min(CALLER_LIFE_MS, found.remainingMs ?? CALLER_LIFE_MS);
    this.callers.set(hash, found.caller, startedAt + lifeMs);
    return found.caller;
  }
}
