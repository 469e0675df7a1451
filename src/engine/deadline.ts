import { setMaxListeners } from 'node:events';

/**
 * A moment by which work must have ended, shared by every step of a check. Measured on the monotonic clock,
 * so that a change of the wall clock neither shortens nor prolongs it.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly expiresAt: number;

  private constructor(milliseconds: number) {
    // Many steps of one check listen at once (DNS look-ups in parallel); each takes its listener away when it ends.
    setMaxListeners(0, this.controller.signal);
    this.expiresAt = performance.now() + milliseconds;
    this.timer = setTimeout(() => this.controller.abort(new DeadlineExceeded()), Math.max(0, milliseconds));
  }

  /** A deadline `milliseconds` from now. Call `release()` when the work is over, or its timer lives on. */
  static after(milliseconds: number): Deadline {
    return new Deadline(milliseconds);
  }

  /** Aborts when the deadline passes, or when `cancel()` is called. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get expired(): boolean {
    return this.controller.signal.aborted || this.remainingMs() <= 0;
  }

  /** Milliseconds left, never below 0. */
  remainingMs(): number {
    return Math.max(0, this.expiresAt - performance.now());
  }

  /** The smaller of a step's own limit and what is left, in milliseconds. */
  capMs(stepMs: number): number {
    return Math.min(stepMs, this.remainingMs());
  }

  /** Ends the work before its time: the caller is gone, or the process is stopping. */
  cancel(reason: Error = new DeadlineExceeded()): void {
    clearTimeout(this.timer);
    this.controller.abort(reason);
  }

  /** Frees the timer. The signal never aborts afterwards. */
  release(): void {
    clearTimeout(this.timer);
  }
}

class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  constructor() {
    super('the deadline has passed');
  }
}
