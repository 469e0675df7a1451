import { withinDeadline } from '../platform/scheduling/within-deadline.js';
import { serviceUnavailable } from '../platform/errors/service-unavailable.js';
import type { Caller } from './caller.js';
import { ExpiringMap } from './expiring-map.js';

/** A key in force, as the database knows it at one moment. */
export interface KeyInForce {
  readonly caller: Caller;
  /** Milliseconds until it expires, by the database's clock; null: it does not. */
  readonly remainingMs: number | null;
}

/** Reads, by SHA-256 in hex, the keys in force among these; keys unknown, revoked, expired or suspended are left out. */
export type ReadKeysInForce = (hashes: readonly string[]) => Promise<ReadonlyMap<string, KeyInForce>>;

export interface CallerDirectoryOptions {
  readonly read: ReadKeysInForce;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/** Revocation and suspension hold everywhere within 5 s (decisions 2.1): the second that is left is for what a request takes. */
const CALLER_LIFE_MS = 4000;
/** Short, so that a resumed account is served soon; long enough that a client that repeats a dead key costs little. */
const STRANGER_LIFE_MS = 2000;
const MAX_CALLERS = 20_000;
/** Kept apart from the callers, so that invented keys cannot push real ones out. */
const MAX_STRANGERS = 5000;
const MAX_BATCH = 100;
/** More than this waiting means the database is not keeping up: better refused now than served too late. */
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
 * Who stands behind a key's hash, remembered for seconds. What is not remembered is read from the database in one query at
 * a time for all that asked meanwhile: the same hash is read once, and a flood of invented keys holds one connection.
 */
export class CallerDirectory {
  private readonly callers = new ExpiringMap<Caller>(MAX_CALLERS);
  private readonly strangers = new ExpiringMap<null>(MAX_STRANGERS);
  private readonly waiting = new Map<string, Waiting>();
  private readonly reading = new Map<string, Waiting>();
  private readonly read: ReadKeysInForce;
  private readonly now: () => number;

  constructor({ read, now = () => performance.now() }: CallerDirectoryOptions) {
    this.read = read;
    this.now = now;
  }

  /** The caller with this key, if it was found to be in force seconds ago: no look-up, nothing to wait for. */
  remembered(hash: string): Caller | undefined {
    return this.callers.get(hash, this.now());
  }

  /**
   * The caller with this key, or null when it is not in force.
   * @throws AppError `service_unavailable` when the database does not say in time.
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

  /** Settles everything in `reading`, and on a failure what waits too: it would fare no better. Never rejects. */
  private async readBatch(): Promise<void> {
    if (this.reading.size === 0) return;
    // Lives count from before the read: what it returns may be as old as that.
    const startedAt = this.now();
    try {
      const found = await withinDeadline(this.read([...this.reading.keys()]), READ_DEADLINE_MS);
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
