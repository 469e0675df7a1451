import type { Chunk } from './target.js';

interface Waiting {
  readonly chunk: Chunk;
  /** Monotonic milliseconds. */
  readonly dueAt: number;
}

/** Chunks that are asked about later: greylisted addresses, mail hosts that are busy or paused. */
export class WaitingChunks {
  private readonly waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param onDue called when a chunk has become due */
  constructor(private readonly onDue: () => void) {}

  /** Addresses that wait. */
  get addresses(): number {
    return this.waiting.reduce((sum, { chunk }) => sum + chunk.targets.length, 0);
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  add(chunk: Chunk, afterMs: number): void {
    if (chunk.targets.length === 0) return;
    this.waiting.push({ chunk, dueAt: performance.now() + afterMs });
    this.waiting.sort((one, other) => one.dueAt - other.dueAt);
    this.setTimer();
  }

  takeDue(): Chunk[] {
    const now = performance.now();
    const due: Chunk[] = [];
    while (this.waiting.length > 0 && this.waiting[0]!.dueAt <= now) due.push(this.waiting.shift()!.chunk);
    // Also where nothing is due: a timer may fire a millisecond early, and nothing else would ask again.
    this.setTimer();
    return due;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.waiting.length = 0;
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const first = this.waiting[0];
    if (first !== undefined)
      this.timer = setTimeout(this.onDue, Math.max(1, Math.ceil(first.dueAt - performance.now())));
  }
}
