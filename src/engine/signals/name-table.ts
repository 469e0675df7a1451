const DOT = 0x2e;

/** Kinds of bytes: 0 separates names; 1 belongs to a name; 2 belongs to a name in U-labels, which is skipped. */
const KIND = new Uint8Array(256).fill(2, 0x80);
// Published lists hold underscores and capitals; no look-up asks for them.
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_')) KIND[byte] = 1;

/** Octets indexed between two pauses: a millisecond or two of work. */
const SLICE = 32_768;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Bound once, because Jest looks up globals through an interceptor, which would slow every octet. */
const { imul } = Math;

/**
 * A set of some hundred thousand domain names. Keeps the bytes it was read from and a hash index: half the time and
 * memory of a `Set` of strings at start.
 */
export class NameTable {
  /** @param slots per slot: offset in `text` plus one of its name; 0 if free. Open addressing. */
  private constructor(
    private readonly text: Uint8Array,
    private readonly slots: Int32Array,
  ) {}

  /**
   * `text`: lowercase A-label names, separated by anything no name contains: one a line, or a JSON array. Skips single
   * labels, which could be words, and names in U-labels.
   */
  static of(text: Uint8Array): NameTable {
    const table = new NameTable(text, slotsFor(dotsIn(text)));
    table.index(0, text.length);
    return table;
  }

  /** The table of which `saved` returned this. Shares the memory, which has to begin where an integer may. */
  static restore(saved: Uint8Array): NameTable {
    const integers = (from: number, count: number) => new Int32Array(saved.buffer, saved.byteOffset + from, count);
    const [length = 0] = integers(0, 1);
    return new NameTable(saved.subarray(4 + 4 * length), integers(4, length));
  }

  /** Like `of`, but pauses every millisecond or two, for a process that serves meanwhile. */
  static async build(text: Uint8Array, pause: () => Promise<void>): Promise<NameTable> {
    let dots = 0;
    for (let from = 0; from < text.length; from += SLICE) {
      dots += dotsIn(text.subarray(from, from + SLICE));
      await pause();
    }
    const table = new NameTable(text, slotsFor(dots));
    for (let from = 0; from < text.length;) {
      let to = Math.min(from + SLICE, text.length);
      while (to < text.length && KIND[text[to] as number] !== 0) to++;
      table.index(from, to);
      from = to;
      await pause();
    }
    return table;
  }

  /** The number of slots, the slots, and the text, for machines with the same order of octets. */
  saved(): Buffer {
    return Buffer.concat([octetsOf(new Int32Array([this.slots.length])), octetsOf(this.slots), this.text]);
  }

  has(name: string): boolean {
    let hash = FNV_OFFSET;
    for (let i = 0; i < name.length; i++) hash = imul(hash ^ name.charCodeAt(i), FNV_PRIME);
    const mask = this.slots.length - 1;
    for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      const held = this.slots[slot] ?? 0;
      if (held === 0) return false;
      if (this.isNameAt(held - 1, name)) return true;
    }
  }

  /** Indexes the names between two name boundaries. */
  private index(from: number, to: number): void {
    const { text } = this;
    let start = from;
    let dots = 0;
    let ascii = true;
    let hash = FNV_OFFSET;
    for (let i = from; i < to; i++) {
      const byte = text[i] as number;
      const kind = KIND[byte];
      if (kind === 0) {
        if (dots > 0 && ascii) this.insert(start, hash);
        start = i + 1;
        dots = 0;
        ascii = true;
        hash = FNV_OFFSET;
      } else {
        if (kind === 2) ascii = false;
        if (byte === DOT) dots++;
        hash = imul(hash ^ byte, FNV_PRIME);
      }
    }
    if (dots > 0 && ascii) this.insert(start, hash);
  }

  /** Inserts a repeated name twice: a slot costs less than a comparison. */
  private insert(start: number, hash: number): void {
    const mask = this.slots.length - 1;
    let slot = spread(hash) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = start + 1;
  }

  private isNameAt(offset: number, name: string): boolean {
    for (let i = 0; i < name.length; i++) if (this.text[offset + i] !== name.charCodeAt(i)) return false;
    return !KIND[this.text[offset + name.length] ?? 0];
  }
}

/** A name has a dot at least, so the slots never fill up. */
function slotsFor(dots: number): Int32Array {
  return new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, dots * 1.5))));
}

function octetsOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function dotsIn(text: Uint8Array): number {
  let dots = 0;
  for (let i = 0; i < text.length; i++) if (text[i] === DOT) dots++;
  return dots;
}

/** FNV-1a mixes its low bits poorly, and these are used. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}
