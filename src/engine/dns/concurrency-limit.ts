/**
 * Lets so many pieces of work run at once; the others start in the order they came. Each has one place, which is given back
 * once, by the function `enter` returned: work that waits leaves the line, work that runs makes room.
 *
 * `Places` of the platform, which the engine may not import, are awaited and given back by whoever holds one. Here work that
 * finds room starts within the call, with no promise in between, and can be given up from outside at any moment by who does
 * not know whether it runs or waits.
 */
export class ConcurrencyLimit {
  private running = 0;
  private readonly line = new Set<() => void>();

  constructor(private readonly places: number) {}

  /** Calls `start` at once or when a place is free. */
  enter(start: () => void): () => void {
    let inside = false;
    let left = false;
    const goIn = (): void => {
      inside = true;
      this.running += 1;
      start();
    };
    const leave = (): void => {
      if (left) return;
      left = true;
      if (!inside) {
        this.line.delete(goIn);
        return;
      }
      this.running -= 1;
      const [next] = this.line;
      if (next === undefined) return;
      this.line.delete(next);
      next();
    };
    if (this.running < this.places) goIn();
    else this.line.add(goIn);
    return leave;
  }
}
