import type { Clock, Process } from './clock.js';

/** A number of places that are taken in the order of asking. */
export class Places {
  /** Milliseconds of all places that were taken. */
  private takenMs = 0;
  private taken = 0;
  private sinceMs = 0;
  private readonly waiting: { readonly places: number; readonly resume: () => void }[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly all: number,
  ) {}

  *take(places: number): Process {
    if (this.waiting.length > 0 || this.taken + places > this.all) {
      yield (resume) => void this.waiting.push({ places, resume });
      return;
    }
    this.note(places);
  }

  /** They go to the next in line, when they are enough for it. */
  free(places: number): void {
    this.note(-places);
    for (let [next] = this.waiting; next !== undefined; [next] = this.waiting) {
      if (this.taken + next.places > this.all) return;
      this.waiting.shift();
      this.note(next.places);
      next.resume();
    }
  }

  /** Milliseconds of all places that were taken until now. */
  get usedMs(): number {
    this.note(0);
    return this.takenMs;
  }

  private note(change: number): void {
    const { nowMs } = this.clock;
    this.takenMs += this.taken * (nowMs - this.sinceMs);
    this.sinceMs = nowMs;
    this.taken += change;
  }
}
