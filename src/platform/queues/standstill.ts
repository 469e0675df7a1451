/** What was seen of a queue at a moment. */
export interface QueueSight {
  /** Milliseconds, of a clock that only goes forward. */
  readonly at: number;
  /** How many runs this process has begun and ended so far, together. */
  readonly steps: number;
  /** Jobs that wait to be served; null where Redis did not say, or lets nobody take one. */
  readonly waiting: number | null;
}

/**
 * Since when nothing moves on a queue in this process although work waits. Whatever else may be the reason (nothing waits,
 * Redis does not say, the process itself was not looking) begins the time anew. Pure.
 */
export class Standstill {
  private last: QueueSight | null = null;
  private since: number | null = null;

  /** @param longestGapMs between two sights: after a longer one the process itself stood still */
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

  /** How long it had lasted when last seen, milliseconds; 0 where it moves. */
  get lastsMs(): number {
    return this.since === null ? 0 : this.last!.at - this.since;
  }
}
