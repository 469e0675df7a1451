interface Waiter {
  readonly permits: number;
  readonly end: (taken: boolean) => void;
}

/** A counting semaphore. Waiters get permits in order of arrival: nobody overtakes one that needs more of them. */
export class Semaphore {
  private held = 0;
  private closed = false;
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly permits: number) {}

  get isClosed(): boolean {
    return this.closed;
  }

  /** True when a caller gets its permits at once. */
  hasRoom(permits = 1): boolean {
    return this.waiters.size === 0 && this.held + permits <= this.permits;
  }

  /** Callers that wait for a permit. */
  get waiterCount(): number {
    return this.waiters.size;
  }

  /**
   * Takes permits, which the caller releases once.
   * @param maxWaitMs longest wait, milliseconds; without it the caller waits as long as it takes
   * @returns false if the permits did not come in time, or the semaphore is closed
   */
  acquire(maxWaitMs?: number, permits = 1): Promise<boolean> {
    if (this.closed) return Promise.resolve(false);
    if (this.hasRoom(permits)) {
      this.held += permits;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (taken: boolean): void => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(taken);
      };
      const waiter: Waiter = { permits, end };
      const giveUp = (): void => {
        end(false);
        this.admit();
      };
      if (maxWaitMs !== undefined) timer = setTimeout(giveUp, maxWaitMs);
      this.waiters.add(waiter);
    });
  }

  release(permits = 1): void {
    this.held -= permits;
    this.admit();
  }

  /** Refuses all waiting and all later callers. */
  close(): void {
    this.closed = true;
    for (const { end } of this.waiters) end(false);
  }

  private admit(): void {
    for (const { permits, end } of this.waiters) {
      if (this.held + permits > this.permits) return;
      this.held += permits;
      end(true);
    }
  }
}
