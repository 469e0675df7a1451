/** A number of places. Whoever waits for one gets it in the order they came. */
export class Semaphore {
  private held = 0;
  private closed = false;
  private readonly waiters = new Set<(taken: boolean) => void>();

  constructor(private readonly permits: number) {}

  get isClosed(): boolean {
    return this.closed;
  }

  get isFull(): boolean {
    return this.held >= this.permits;
  }

  /** How many wait for one. */
  get waiterCount(): number {
    return this.waiters.size;
  }

  /**
   * Takes a place, to be given back once.
   * @param maxWaitMs as long as it takes when left out
   * @returns false when there was none in time, or they are closed
   */
  acquire(maxWaitMs?: number): Promise<boolean> {
    if (this.closed) return Promise.resolve(false);
    if (this.held < this.permits) {
      this.held += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (taken: boolean): void => {
        clearTimeout(timer);
        this.waiters.delete(end);
        resolve(taken);
      };
      if (maxWaitMs !== undefined) timer = setTimeout(end, maxWaitMs, false);
      this.waiters.add(end);
    });
  }

  release(): void {
    const [next] = this.waiters;
    if (next === undefined) this.held -= 1;
    else next(true);
  }

  /** Whoever waits gets none, and nobody any more. */
  close(): void {
    this.closed = true;
    for (const end of this.waiters) end(false);
  }
}
