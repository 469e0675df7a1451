import { setMaxListeners } from 'node:events';

/**
 * A moment by which work must have ended, shared by every step of a check. Measured on the monotonic clock,
 * so that a change of the wall clock neither shortens nor prolongs it.
 *
 * Its signal and its timer are made when somebody first wants to be told: a check that is answered from what is at hand
 * needs neither, and they cost more than all the rest of it.
 */
export class Deadline {
  private readonly expiresAt: number;
  private controller: AbortController | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** Why the work was ended before its time. */
  private cancelled: Error | null = null;
  private released = false;

  private constructor(
    milliseconds: number,
    private readonly whole: Deadline | null = null,
  ) {
    this.expiresAt = performance.now() + milliseconds;
  }

  /** A deadline `milliseconds` from now. Call `release()` when the work is over, or its timer may live on. */
  static after(milliseconds: number): Deadline {
    return new Deadline(milliseconds);
  }

  /** Passes with this one, or when it is cancelled by itself. To be cancelled or released like any other. */
  part(): Deadline {
    return new Deadline(this.remainingMs(), this);
  }

  /** Aborts when the deadline passes, or when `cancel()` is called. */
  get signal(): AbortSignal {
    return (this.controller ?? this.listenedTo()).signal;
  }

  get expired(): boolean {
    return this.cancelled !== null || this.remainingMs() <= 0 || this.whole?.expired === true;
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
    this.cancelled ??= reason;
    this.stopWaiting();
    this.controller?.abort(reason);
  }

  /** Frees the timer. The signal never aborts afterwards. */
  release(): void {
    this.released = true;
    this.stopWaiting();
  }

  private listenedTo(): AbortController {
    this.controller = new AbortController();
    // Many steps of one check listen at once (DNS look-ups in parallel); each takes its listener away when it ends.
    setMaxListeners(0, this.controller.signal);
    if (this.cancelled !== null) this.controller.abort(this.cancelled);
    else if (this.whole?.signal.aborted === true) this.endWithWhole();
    else if (!this.released) this.wait();
    return this.controller;
  }

  private wait(): void {
    this.whole?.signal.addEventListener('abort', this.endWithWhole, { once: true });
    const leftMs = this.remainingMs();
    if (leftMs === 0) this.cancel();
    // Node cuts off parts of a millisecond, of what is left and of the time it is: rounded up, it may still call part of
    // one early. Cancelled, so that whoever is told that the deadline has passed finds it expired.
    else this.timer = setTimeout(() => this.cancel(), Math.ceil(leftMs));
  }

  private readonly endWithWhole = (): void => this.cancel(this.whole?.signal.reason as Error);

  private stopWaiting(): void {
    clearTimeout(this.timer);
    if (this.controller !== null) this.whole?.signal.removeEventListener('abort', this.endWithWhole);
  }
}

class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  constructor() {
    super('the deadline has passed');
  }
}
