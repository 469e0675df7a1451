/**
 * Runs a limited number of tasks at once; the others start in the order they came. Each task ends by one call of the
 * function that `enter` returned, whether it still waits or already runs.
 *
 * Unlike a semaphore with promises, it starts a task within the call if there is room, and anybody may give up the task
 * at any moment without knowing whether it runs.
 */
export class ConcurrencyLimit {
  private running = 0;
  private readonly line = new Set<() => void>();

  constructor(private readonly places: number) {}

  /** Calls `start` now or when there is room. @returns a function that ends the task; later calls do nothing */
  acquire(start: () => void): () => void {
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
