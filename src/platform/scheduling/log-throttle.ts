const EVERY_MS = 60_000;

/** Lets a log line about a lasting fault through once a minute. */
export class LogThrottle {
  private last = Number.NEGATIVE_INFINITY;

  /** @param now monotonic clock, milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** True if the line is to be written now. */
  passes(): boolean {
    if (this.now() - this.last < EVERY_MS) return false;
    this.last = this.now();
    return true;
  }
}
