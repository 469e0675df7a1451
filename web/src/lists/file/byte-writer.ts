const PIECE = 1024 * 1024;

/** Collects bytes in pieces of a megabyte, as a file of any size is built from. */
export class ByteWriter {
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  private piece = new Uint8Array(PIECE);
  private used = 0;

  write(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      if (this.used === PIECE) {
        this.full.push(this.piece);
        this.piece = new Uint8Array(PIECE);
        this.used = 0;
      }
      const taken = bytes.subarray(from, from + PIECE - this.used);
      this.piece.set(taken, this.used);
      this.used += taken.length;
      from += taken.length;
    }
  }

  pieces(): Uint8Array<ArrayBuffer>[] {
    return [...this.full, this.piece.subarray(0, this.used)];
  }
}
