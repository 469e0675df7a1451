import type { Clock, Process } from './clock.js';

/** A number of places that are taken in the order of asking. */
export class Places {
  /** Milliseconds of all places that were taken. */
  private takenMs = 0;
  private taken = 0;
  private sinceMs = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly all: number,
  ) {}

  *take(): Process {
    if (this.taken >= this.all) {
      yield (resume) => void this.waiting.push(resume);
      return;
    }
    this.note(1);
  }

  /** The place goes to the next in line. */
  free(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.note(-1);
    else next();
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
