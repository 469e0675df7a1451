/** One observation of a queue. */
export interface QueueSight {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  /** Runs that this process has started plus runs that ended. */
  readonly steps: number;
  /** Waiting jobs; null where Redis did not answer or hands out no job. */
  readonly waiting: number | null;
}

/**
 * Measures how long a queue with waiting work has stood still in this process. Any other explanation (no work waits,
 * Redis does not answer, the process itself was suspended) restarts the time. Pure.
 */
export class Standstill {
  private last: QueueSight | null = null;
  private since: number | null = null;

  /** @param longestGapMs between two observations: after a longer gap the process itself was suspended */
  constructor(private readonly longestGapMs: number) {}

  see(sight: QueueSight): void {
    const { last } = this;
    this.last = sight;
    const stands =
      last !== null &&
      sight.at - last.at <= this.longestGapMs &&
      sight.steps === last.steps &&
      sight.waiting !== null &&
      sight.waiting > 0;
    if (!stands) this.since = null;
    else this.since ??= last.at;
  }

  /** Duration at the last observation, milliseconds; 0 while the queue moves. */
  get lastsMs(): number {
    return this.since === null ? 0 : this.last!.at - this.since;
  }
}
