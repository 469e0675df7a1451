/** A number of places. Whoever waits for one gets it in the order they came. */
export class Places {
  private taken = 0;
  private over = false;
  private readonly waiting = new Set<(taken: boolean) => void>();

  constructor(private readonly places: number) {}

  get isClosed(): boolean {
    return this.over;
  }

  get areTaken(): boolean {
    return this.taken >= this.places;
  }

  /** How many wait for one. */
  get waitingFor(): number {
    return this.waiting.size;
  }

  /**
   * Takes a place, to be given back once.
   * @param maxWaitMs as long as it takes when left out
   * @returns false when there was none in time, or they are closed
   */
  take(maxWaitMs?: number): Promise<boolean> {
    if (this.over) return Promise.resolve(false);
    if (this.taken < this.places) {
      this.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (taken: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(end);
        resolve(taken);
      };
      if (maxWaitMs !== undefined) timer = setTimeout(end, maxWaitMs, false);
      this.waiting.add(end);
    });
  }

  giveBack(): void {
    const [next] = this.waiting;
    if (next === undefined) this.taken -= 1;
    else next(true);
  }

  /** Whoever waits gets none, and nobody any more. */
  close(): void {
    this.over = true;
    for (const end of this.waiting) end(false);
  }
}
