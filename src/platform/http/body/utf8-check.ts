import { isUtf8 } from 'node:buffer';

/** Most bytes of an incomplete character at the end of a chunk. */
const MAX_BEGUN = 3;

/** Checks that chunks of bytes are UTF-8, also where a chunk ends inside a character. */
export class Utf8Check {
  private begun: Buffer = Buffer.alloc(0);

  /** @returns false if the bytes are not UTF-8 */
  write(chunk: Buffer): boolean {
    const bytes = this.begun.length === 0 ? chunk : Buffer.concat([this.begun, chunk]);
    const whole = bytes.length - begunAtEnd(bytes);
    this.begun = Buffer.from(bytes.subarray(whole));
    return isUtf8(bytes.subarray(0, whole));
  }

  /** @returns false if the last character is incomplete */
  end(): boolean {
    return this.begun.length === 0;
  }
}

/** Number of bytes at the end that begin a character and lack its other bytes. */
function begunAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(MAX_BEGUN, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    // A continuation byte: the first byte of the character is further back.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
