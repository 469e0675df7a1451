const FIRST_SIZE = 1024;

/** Joins many small pieces of bytes in one buffer that doubles, not in a list. */
export class Octets {
  private buffer: Buffer | null = null;
  private used = 0;

  get length(): number {
    return this.used;
  }

  add(piece: Buffer): void {
    const needed = this.used + piece.length;
    if (this.buffer === null || needed > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.used, FIRST_SIZE));
      this.buffer?.copy(larger, 0, 0, this.used);
      this.buffer = larger;
    }
    piece.copy(this.buffer, this.used);
    this.used = needed;
  }

  /** Returns all bytes and empties the buffer. */
  take(): Buffer {
    const all = (this.buffer ?? Buffer.alloc(0)).subarray(0, this.used);
    this.buffer = null;
    this.used = 0;
    return all;
  }
}
