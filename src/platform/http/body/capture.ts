import { Octets } from './octets.js';

/** Captures a part of a text that arrives in chunks. */
export class Capture {
  private readonly before = new Octets();
  private from: number | null = null;

  get isOpen(): boolean {
    return this.from !== null;
  }

  begin(at: number): void {
    this.from = at;
  }

  length(at: number): number {
    return this.before.length + at - this.from!;
  }

  /** The current chunk ends; reading continues at the start of the next one. */
  chunkEnds(chunk: Buffer, most = Number.POSITIVE_INFINITY): void {
    if (this.from === null) return;
    this.before.add(
      chunk.subarray(this.from, Math.min(chunk.length, this.from + Math.max(0, most - this.before.length))),
    );
    this.from = 0;
  }

  end(chunk: Buffer, at: number): Buffer {
    const last = chunk.subarray(this.from!, at);
    this.from = null;
    if (this.before.length === 0) return last;
    this.before.add(last);
    return this.before.take();
  }
}
