import { serviceUnavailable } from '../errors/service-unavailable.js';
import { withinDeadline } from '../scheduling/within-deadline.js';
import { atEndOfTurn } from '../scheduling/end-of-turn.js';

/** Reads the values of these keys in one query; keys without a value are left out. */
export type ReadMany<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

export interface ReadBatcherOptions {
  /** Keys per query. A caller with more keys at once gets a query of its own. */
  readonly maxKeys?: number;
  /** With more keys waiting, the database is not keeping up: refuse at once rather than answer too late. */
  readonly maxWaiting?: number;
  /** For a read. */
  readonly deadlineMs?: number;
}

interface Request<Value> {
  readonly keys: readonly string[];
  readonly resolve: (found: ReadonlyMap<string, Value>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches reads by key: one query at a time, for all callers that asked while the previous one ran. Caches nothing: each
 * caller gets the state after its request.
 */
export class ReadBatcher<Value> {
  private readonly maxKeys: number;
  private readonly maxWaiting: number;
  private readonly deadlineMs: number;
  private waiting: Request<Value>[] = [];
  private waitingKeys = 0;
  private reading = false;

  constructor(
    private readonly readMany: ReadMany<Value>,
    { maxKeys = 512, maxWaiting = 20_000, deadlineMs = 1000 }: ReadBatcherOptions = {},
  ) {
    this.maxKeys = maxKeys;
    this.maxWaiting = maxWaiting;
    this.deadlineMs = deadlineMs;
  }

  /**
   * Reads the values of `keys`.
   * @throws AppError `service_unavailable` when the database does not answer in time
   */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    if (keys.length === 0) return Promise.resolve(new Map());
    return this.ask(keys, (found) => only(keys, found));
  }

  /** Reads one value, like `read`. */
  readOne(key: string): Promise<Value | undefined> {
    return this.ask([key], (found) => found.get(key));
  }

  /** @param pick the caller's part of what a batch has found */
  private ask<Part>(keys: readonly string[], pick: (found: ReadonlyMap<string, Value>) => Part): Promise<Part> {
    if (this.waitingKeys >= this.maxWaiting)
      return Promise.reject(serviceUnavailable(new Error('too many look-ups wait')));
    return new Promise((resolve, reject) => {
      this.waiting.push({ keys, resolve: (found) => resolve(pick(found)), reject });
      this.waitingKeys += keys.length;
      if (!this.reading) void this.readAllWaiting();
    });
  }

  private async readAllWaiting(): Promise<void> {
    this.reading = true;
    // Let requests of this turn of the event loop join the batch.
    await new Promise<void>(atEndOfTurn);
    while (this.waiting.length > 0) await this.readBatch(this.take());
    this.reading = false;
  }

  private take(): Request<Value>[] {
    let keys = 0;
    let taken = 0;
    for (const request of this.waiting) {
      if (keys > 0 && keys + request.keys.length > this.maxKeys) break;
      keys += request.keys.length;
      taken += 1;
    }
    this.waitingKeys -= keys;
    return this.waiting.splice(0, taken);
  }

  /** Settles the batch; on failure rejects all waiting requests too, which would fail likewise. Never rejects. */
  private async readBatch(batch: readonly Request<Value>[]): Promise<void> {
    try {
      const keys = [...new Set(batch.flatMap((request) => request.keys))];
      const found = await withinDeadline(this.readMany(keys), this.deadlineMs);
      for (const request of batch) request.resolve(found);
    } catch (error) {
      const failed = [...batch, ...this.waiting];
      this.waiting = [];
      this.waitingKeys = 0;
      for (const { reject } of failed) reject(serviceUnavailable(error));
    }
  }
}

function only<Value>(keys: readonly string[], found: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  const own = new Map<string, Value>();
  for (const key of keys) {
    const value = found.get(key);
    if (value !== undefined) own.set(key, value);
  }
  return own;
}
