import { withinDeadline } from '../scheduling/within-deadline.js';

export interface BackgroundWriterOptions<Item> {
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Called when a write fails or takes too long. @param dropped everything that waited, its items included */
  readonly onFailure: (error: unknown, dropped: readonly Item[]) => void;
  /** How long a write waits for more items, milliseconds, unless somebody waits for the write. Default: not at all. */
  readonly gatherMs?: number;
  /** Items per write. */
  readonly maxBatch: number;
  readonly maxWaiting: number;
}

const WRITE_MS = 5000;
const SETTLE_MS = 1000;

/** Writes in the background, a batch at a time, what callers do not wait for and can do without. */
export class BackgroundWriter<Item> {
  /** By key; items stay until they are written. */
  private readonly waiting = new Map<unknown, Item>();
  private writing: Promise<void> | null = null;
  /** Calls of `settled` that wait. */
  private awaiting = 0;
  private endGathering: () => void = () => undefined;

  constructor(private readonly options: BackgroundWriterOptions<Item>) {}

  /** How many more items may wait. */
  get room(): number {
    return this.options.maxWaiting - this.waiting.size;
  }

  /** Returns at once and never throws. Ignores an item when there is no room, or while one with its key waits. */
  add(item: Item, key: unknown = item): void {
    if (this.room <= 0 || this.waiting.has(key)) return;
    this.waiting.set(key, item);
    this.writing ??= this.writeAll();
  }

  /** Resolves when everything is written, or when that takes long. */
  async settled(ms = SETTLE_MS): Promise<void> {
    if (this.writing === null) return;
    this.awaiting += 1;
    this.endGathering();
    await withinDeadline(this.writing, ms).catch(() => undefined);
    this.awaiting -= 1;
  }

  /** Never rejects. */
  private async writeAll(): Promise<void> {
    // Let items of this turn of the event loop join the batch.
    await Promise.resolve();
    const { waiting, options } = this;
    while (waiting.size > 0) {
      if (options.gatherMs !== undefined && this.awaiting === 0) await this.gather(options.gatherMs);
      const batch = [...waiting].slice(0, options.maxBatch);
      try {
        await withinDeadline(options.write(batch.map(([, item]) => item)), WRITE_MS);
        for (const [key] of batch) waiting.delete(key);
      } catch (error) {
        const dropped = [...waiting.values()];
        waiting.clear();
        options.onFailure(error, dropped);
      }
    }
    this.writing = null;
  }

  private gather(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
