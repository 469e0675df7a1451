const FIRST_SIZE = 1024;

/** Bytes that are put together from many pieces, however small: one buffer that doubles, not a list of them. */
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

  /** All of them; from then on there are none. */
  take(): Buffer {
    const all = (this.buffer ?? Buffer.alloc(0)).subarray(0, this.used);
    this.buffer = null;
    this.used = 0;
    return all;
  }
}
