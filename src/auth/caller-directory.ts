import { Injectable, Optional } from '@nestjs/common';
import { withinDeadline } from '../platform/scheduling/within-deadline.js';
import { serviceUnavailable } from '../platform/errors/service-unavailable.js';
import type { Caller } from './caller.js';
import { ExpiringMap } from './expiring-map.js';
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
const MAX_BATCH = 100;
/** The database cannot keep up with more than this: refuse now rather than serve too late. */
const MAX_WAITING = 1000;
/** For a read, and for the wait before it. */
const READ_DEADLINE_MS = 2000;

interface Waiting {
  readonly since: number;
  readonly result: Promise<Caller | null>;
  resolve(caller: Caller | null): void;
  reject(error: unknown): void;
}

/**
 * Finds the caller of a key by the key's hash, and caches it for seconds. Misses share one query at a time: the same hash is
 * read once, and a flood of invented keys holds one connection.
 */
@Injectable()
export class CallerDirectory {
  private readonly callers = new ExpiringMap<Caller>(MAX_CALLERS);
  private readonly strangers = new ExpiringMap<null>(MAX_STRANGERS);
  private readonly waiting = new Map<string, Waiting>();
  private readonly reading = new Map<string, Waiting>();

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly keys: KeyLookupRepository,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {}

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
    const asked = this.reading.get(hash) ?? this.waiting.get(hash);
    return asked?.result ?? this.ask(hash);
  }

  private ask(hash: string): Promise<Caller | null> {
    if (this.waiting.size >= MAX_WAITING) throw serviceUnavailable(new Error('too many key look-ups waiting'));
    const waiting = promised(this.now());
    this.waiting.set(hash, waiting);
    if (this.reading.size === 0) void this.readAllWaiting();
    return waiting.result;
  }

  private async readAllWaiting(): Promise<void> {
    while (this.waiting.size > 0) {
      this.takeBatch();
      await this.readBatch();
      this.reading.clear();
    }
  }

  private takeBatch(): void {
    const tooLate = this.now() - READ_DEADLINE_MS;
    for (const [hash, waiting] of this.waiting) {
      if (this.reading.size === MAX_BATCH) return;
      this.waiting.delete(hash);
      if (waiting.since < tooLate) waiting.reject(serviceUnavailable(new Error('waited too long for a key look-up')));
      else this.reading.set(hash, waiting);
    }
  }

  /** Settles everything in `reading`. A failure rejects everything in `waiting` too. Never rejects. */
  private async readBatch(): Promise<void> {
    if (this.reading.size === 0) return;
    // The cache life starts before the read, because its result may be that old.
    const startedAt = this.now();
    try {
      const found = await withinDeadline(this.keys.findInForce([...this.reading.keys()]), READ_DEADLINE_MS);
      for (const [hash, waiting] of this.reading) waiting.resolve(this.remember(hash, found.get(hash), startedAt));
    } catch (error) {
      for (const waiting of [...this.reading.values(), ...this.waiting.values()])
        waiting.reject(serviceUnavailable(error));
      this.waiting.clear();
    }
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

function promised(since: number): Waiting {
  let resolve!: Waiting['resolve'];
  let reject!: Waiting['reject'];
  const result = new Promise<Caller | null>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { since, result, resolve, reject };
}
