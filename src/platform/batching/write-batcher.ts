import { serviceUnavailable } from '../errors/service-unavailable.js';
import { atEndOfTurn } from '../scheduling/end-of-turn.js';

export interface WriteBatcherOptions<Item, Result> {
  /** Writes a batch, all of it or nothing. @returns the results of its items, in order */
  readonly write: (items: readonly Item[], key: string) => Promise<readonly Result[]>;
  /** Size of an item; each counts 1 when left out. */
  readonly sizeOf?: (item: Item) => number;
  /** Maximum size of a batch, unless a single item is larger. */
  readonly maxSize?: number;
  /** With more items waiting, the database is not keeping up: refuse at once. */
  readonly maxWaiting?: number;
  /**
   * If a batch fails, write each of its items again by itself, so that none fails because of another. Only for writes
   * that may be repeated.
   */
  readonly isolatesErrors?: boolean;
  /** Milliseconds from the start of a batch to that of the next with its key, at least: items gather meanwhile. Default: 0. */
  readonly everyMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches writes (group commit): items of the same moment share a batch, and those that come while it is written share
 * the next. Batches of different keys do not wait for each other.
 */
export class WriteBatcher<Item, Result> {
  private readonly lines = new Map<string, Waiting<Item, Result>[]>();
  private waiting = 0;

  constructor(private readonly options: WriteBatcherOptions<Item, Result>) {}

  /** @throws AppError `service_unavailable` if too many items wait, or the error of `write` */
  write(item: Item, key = ''): Promise<Result> {
    const { maxWaiting = Number.POSITIVE_INFINITY } = this.options;
    if (this.waiting >= maxWaiting) return Promise.reject(serviceUnavailable(new Error('too many writes wait')));
    return new Promise((resolve, reject) => {
      const line = this.lines.get(key);
      const waiting = { item, resolve, reject };
      this.waiting += 1;
      if (line === undefined) void this.writeLine(key, [waiting]);
      else line.push(waiting);
    });
  }

  /** Never rejects. */
  private async writeLine(key: string, line: Waiting<Item, Result>[]): Promise<void> {
    this.lines.set(key, line);
    // Let items of this turn of the event loop join the batch.
    await new Promise<void>(atEndOfTurn);
    const { everyMs } = this.options;
    while (line.length > 0) {
      const gathered = everyMs && new Promise((resolve) => setTimeout(resolve, everyMs));
      await this.writeBatch(key, this.take(line));
      if (gathered) await gathered;
    }
    this.lines.delete(key);
  }

  private take(line: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const { sizeOf = () => 1, maxSize = Number.POSITIVE_INFINITY } = this.options;
    let size = 0;
    const count = line.findIndex(({ item }) => {
      size += sizeOf(item);
      return size > maxSize;
    });
    const batch = line.splice(0, count === -1 ? line.length : Math.max(1, count));
    this.waiting -= batch.length;
    return batch;
  }

  private async writeBatch(key: string, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const { write, isolatesErrors = false } = this.options;
    try {
      const items = batch.map(({ item }) => item);
      const results = await write(items, key);
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]!);
    } catch (error) {
      if (isolatesErrors && batch.length > 1) for (const each of batch) await this.writeBatch(key, [each]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
