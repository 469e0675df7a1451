interface Request {
  readonly permits: number;
  readonly onTaken: () => void;
}

/** Permits that the waves of a process share. No promises: the model of `npm run simulate` has a clock of its own. */
export class SharedPermits {
  private readonly begun: Request[] = [];
  private readonly waiting: Request[] = [];
  protected taken = 0;

  constructor(private readonly all: number) {}

  /**
   * Calls `onTaken` when the permits are taken, in order of arrival.
   * @param isBegun the caller holds permits already: it comes before all that hold none
   */
  take(permits: number, isBegun: boolean, onTaken: () => void): void {
    (isBegun ? this.begun : this.waiting).push({ permits, onTaken });
    this.admit();
  }

  release(permits: number): void {
    this.change(-permits);
    this.admit();
  }

  private admit(): void {
    for (;;) {
      const line = this.begun.length > 0 ? this.begun : this.waiting;
      const [next] = line;
      if (next === undefined || this.taken + next.permits > this.all) return;
      line.shift();
      this.change(next.permits);
      next.onTaken();
    }
  }

  protected change(by: number): void {
    this.taken += by;
  }
}
