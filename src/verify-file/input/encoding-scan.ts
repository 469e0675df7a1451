import { TextDecoder } from 'node:util';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface FoundEncoding {
  readonly encoding: Encoding;
  /** Octets of the byte order mark. */
  readonly bom: number;
}

/** Octets looked at to tell UTF-16 and binary files. */
const SAMPLE = 64 * 1024;
/** A file with more control characters than one in so many is no text. */
const OCTETS_PER_CONTROL = 50;
/** A UTF-8 file may hold one broken character in so many, such as a name that an old program cut in the middle. */
const GOOD_PER_BROKEN = 10;

const NOT_ASCII = /[^\u0000-\u007f]+/g; // oxlint-disable-line no-control-regex

/** Finds out the encoding of a text while it is read: by its byte order mark, else by what the octets can be. */
export class EncodingScan {
  private readonly decoder = new TextDecoder('utf-8');
  private sample: Buffer = Buffer.alloc(0);
  private broken = 0;
  private good = 0;

  update(chunk: Buffer): void {
    if (this.sample.length < SAMPLE) this.sample = Buffer.concat([this.sample, chunk]).subarray(0, SAMPLE);
    this.count(this.decoder.decode(chunk, { stream: true }));
  }

  /** The encoding; null: this is no text. */
  end(): FoundEncoding | null {
    this.count(this.decoder.decode());
    const { sample } = this;
    if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return { encoding: 'utf-8', bom: 3 };
    if (sample[0] === 0xff && sample[1] === 0xfe) return { encoding: 'utf-16le', bom: 2 };
    if (sample[0] === 0xfe && sample[1] === 0xff) return { encoding: 'utf-16be', bom: 2 };
    const wide = unmarkedUtf16(sample);
    if (wide !== null) return { encoding: wide, bom: 0 };
    if (isBinary(sample)) return null;
    const isUtf8 = this.broken === 0 || this.broken * GOOD_PER_BROKEN < this.good;
    return { encoding: isUtf8 ? 'utf-8' : 'windows-1252', bom: 0 };
  }

  private count(text: string): void {
    for (const part of text.match(NOT_ASCII) ?? []) {
      for (const character of part) {
        if (character === '\ufffd') this.broken += 1;
        else this.good += 1;
      }
    }
  }
}

/** UTF-16 without a mark: nearly every other octet of Latin text is zero, and of addresses in any case. */
function unmarkedUtf16(sample: Buffer): 'utf-16le' | 'utf-16be' | null {
  const length = sample.length & ~1;
  let [even, odd] = [0, 0];
  for (let at = 0; at < length; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
  }
  const [many, few] = [length / 6, length / 100];
  if (odd > many && even <= few) return 'utf-16le';
  return even > many && odd <= few ? 'utf-16be' : null;
}

function isBinary(sample: Buffer): boolean {
  let controls = 0;
  for (const octet of sample) {
    if (octet < 0x20 && !(octet >= 9 && octet <= 13) && octet !== 0x1a && octet < 0x1c && octet !== 1) controls += 1;
  }
  return controls * OCTETS_PER_CONTROL > sample.length;
}
