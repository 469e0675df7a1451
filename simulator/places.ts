import { SharedPermits } from '../src/jobs/chunks/shared-permits.js';
import type { Clock } from './clock.js';

/** The product's permits, with the time for which they were taken. */
export class Places extends SharedPermits {
  private takenMs = 0;
  private sinceMs = 0;

  constructor(
    private readonly clock: Clock,
    all: number,
  ) {
    super(all);
  }

  /** Milliseconds of all permits that were taken until now. */
  get usedMs(): number {
    this.note();
    return this.takenMs;
  }

  protected override change(by: number): void {
    this.note();
    super.change(by);
  }

  private note(): void {
    const { nowMs } = this.clock;
    this.takenMs += this.taken * (nowMs - this.sinceMs);
    this.sinceMs = nowMs;
  }
}
