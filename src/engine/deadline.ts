import { setMaxListeners } from 'node:events';

/**
 * The moment by which work must end, shared by every step of a check. Uses the monotonic clock, so changes of the wall
 * clock do not affect it.
 *
 * Creates its signal and timer on first use: a check answered from memory needs neither, and they would cost more than
 * the rest of it.
 */
export class Deadline {
  private readonly expiresAt: number;
  private controller: AbortController | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** Why the work was cancelled. */
  private cancelled: Error | null = null;
  private released = false;

  private constructor(
    milliseconds: number,
    private readonly whole: Deadline | null = null,
  ) {
    this.expiresAt = performance.now() + milliseconds;
  }

  /** A deadline `milliseconds` from now. Call `release()` when the work ends, or the timer may outlive it. */
  static after(milliseconds: number): Deadline {
    return new Deadline(milliseconds);
  }

  /** A deadline that ends with this one, or earlier by its own `cancel()`. Cancel or release it like any other. */
  part(): Deadline {
    return new Deadline(this.remainingMs(), this);
  }

  /** Aborts when the deadline passes or `cancel()` is called. */
  get signal(): AbortSignal {
    return (this.controller ?? this.listenedTo()).signal;
  }

  get expired(): boolean {
    return this.cancelled !== null || this.remainingMs() <= 0 || this.whole?.expired === true;
  }

  /** Milliseconds left, at least 0. */
  remainingMs(): number {
    return Math.max(0, this.expiresAt - performance.now());
  }

  /** The smaller of `stepMs` and the time left, in milliseconds. */
  capMs(stepMs: number): number {
    return Math.min(stepMs, this.remainingMs());
  }

  /** Ends the work early: the caller is gone, or the process is stopping. */
  cancel(reason = new Error('the deadline has passed')): void {
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
    // Many steps of one check listen at once (parallel DNS look-ups); each removes its listener when it ends.
    setMaxListeners(0, this.controller.signal);
    if (this.cancelled !== null) this.controller.abort(this.cancelled);
    else if (this.whole?.signal.aborted === true) this.handleEvent();
    else if (!this.released) this.wait();
    return this.controller;
  }

  private wait(): void {
    this.whole?.signal.addEventListener('abort', this, { once: true });
    const leftMs = this.remainingMs();
    if (leftMs === 0) this.cancel();
    // Node truncates the delay and its clock to whole milliseconds, so a timer may fire early even when rounded up.
    // Calling `cancel` makes `expired` true for everybody who is told.
    else this.timer = setTimeout(() => this.cancel(), Math.ceil(leftMs));
  }

  /** Called when the whole that this is a part of ends. A method of the listener: `read-body.ts` says why no function is a field. */
  handleEvent(): void {
    this.cancel(this.whole?.signal.reason as Error);
  }

  private stopWaiting(): void {
    clearTimeout(this.timer);
    if (this.controller !== null) this.whole?.signal.removeEventListener('abort', this);
  }
}
