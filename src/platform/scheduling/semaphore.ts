/** A counting semaphore. Waiters get permits in order of arrival. */
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

  /** Callers that wait for a permit. */
  get waiterCount(): number {
    return this.waiters.size;
  }

  /**
   * Takes a permit, which the caller releases once.
   * @param maxWaitMs longest wait, milliseconds; without it the caller waits as long as it takes
   * @returns false if no permit came in time, or the semaphore is closed
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

  /** Refuses all waiting and all later callers. */
  close(): void {
    this.closed = true;
    for (const end of this.waiters) end(false);
  }
}
