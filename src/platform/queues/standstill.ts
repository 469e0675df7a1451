/** One observation of a queue. */
export interface QueueObservation {
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
  private last: QueueObservation | null = null;
  private since: number | null = null;

  /** @param longestGapMs between two observations: after a longer gap the process itself was suspended */
  constructor(private readonly longestGapMs: number) {}

  observe(observation: QueueObservation): void {
    const { last } = this;
    this.last = observation;
    const isStill =
      last !== null &&
      observation.at - last.at <= this.longestGapMs &&
      observation.steps === last.steps &&
      observation.waiting !== null &&
      observation.waiting > 0;
    if (!isStill) this.since = null;
    else this.since ??= last.at;
  }

  /** Duration at the last observation, milliseconds; 0 while the queue moves. */
  get durationMs(): number {
    return this.since === null ? 0 : this.last!.at - this.since;
  }
}
