/** A call that waits to be batched. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriteBatcherOptions<Item, Result> {
  /** Executes a batch of calls; all of it or nothing. @returns their results, in order */
  readonly work: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Size of an item. */
  readonly sizeOf: (item: Item) => number;
  /** Maximum size of a batch, unless a single item is larger. */
  readonly maxSize: number;
}

/**
 * Batches calls with the same key: while one batch runs, later calls collect for the next (group commit). It suits
 * transactions that would only wait for each other's commits. If a batch of several calls fails, each call is tried
 * again by itself.
 */
export class WriteBatcher<Item, Result> {
  private readonly lines = new Map<string, Waiting<Item, Result>[]>();

  constructor(private readonly options: WriteBatcherOptions<Item, Result>) {}

  run(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(key);
      const waiting = { item, resolve, reject };
      if (line !== undefined) {
        line.push(waiting);
        return;
      }
      const own = [waiting];
      this.lines.set(key, own);
      void this.serve(key, own);
    });
  }

  /** Never rejects. */
  private async serve(key: string, line: Waiting<Item, Result>[]): Promise<void> {
    while (line.length > 0) await this.answer(key, this.take(line));
    this.lines.delete(key);
  }

  private take(line: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const { sizeOf, maxSize } = this.options;
    let size = 0;
    const count = line.findIndex(({ item }) => {
      size += sizeOf(item);
      return size > maxSize;
    });
    return line.splice(0, count === -1 ? line.length : Math.max(1, count));
  }

  private async answer(key: string, group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.work(
        key,
        group.map(({ item }) => item),
      );
      for (const [i, { resolve }] of group.entries()) resolve(results[i]!);
    } catch (error) {
      const [only] = group;
      if (group.length === 1) only!.reject(error);
      else for (const each of group) await this.answer(key, [each]);
    }
  }
}
