import { withinDeadline } from '../scheduling/within-deadline.js';

export interface BackgroundWriterOptions<Item> {
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Called when a write fails or takes too long. @param dropped everything that waited, its items included */
  readonly onFailure: (error: unknown, dropped: readonly Item[]) => void;
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
    if (this.writing !== null) await withinDeadline(this.writing, ms).catch(() => undefined);
  }

  /** Never rejects. */
  private async writeAll(): Promise<void> {
    // Let items of this turn of the event loop join the batch.
    await Promise.resolve();
    const { waiting, options } = this;
    while (waiting.size > 0) {
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
}
