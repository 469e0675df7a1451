import { isUtf8 } from 'node:buffer';

/** The longest beginning of a character that may stand at the end of a chunk. */
const MAX_BEGUN = 3;

/** Checks that bytes which come in chunks are UTF-8, characters that are cut by the end of a chunk included. */
export class Utf8Check {
  private begun: Buffer = Buffer.alloc(0);

  /** @returns false: they are not */
  write(chunk: Buffer): boolean {
    const bytes = this.begun.length === 0 ? chunk : Buffer.concat([this.begun, chunk]);
    const whole = bytes.length - begunAtEnd(bytes);
    this.begun = Buffer.from(bytes.subarray(whole));
    return isUtf8(bytes.subarray(0, whole));
  }

  /** @returns false: the last character is not complete */
  end(): boolean {
    return this.begun.length === 0;
  }
}

/** How many of the last bytes are the beginning of a character whose other bytes are still to come. */
function begunAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(MAX_BEGUN, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    // A byte that goes on with a character: its first one stands further back.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
