import { FileRefusal } from './file-refusal';

/** Encodings to choose from, by the label that `TextDecoder` knows, with the name that people know. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252 (Western)',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1254': 'Windows-1254 (Turkish)',
  macintosh: 'Mac Roman',
  shift_jis: 'Shift_JIS (Japanese)',
  gb18030: 'GB18030 (Chinese)',
  big5: 'Big5 (Chinese)',
  'euc-kr': 'EUC-KR (Korean)',
} as const;
export type Encoding = keyof typeof ENCODINGS;

export interface DetectedEncoding {
  readonly encoding: Encoding;
  /** Bytes of the byte order mark. */
  readonly bom: number;
}

/** Bytes looked at to tell UTF-16 and binary files. */
const SAMPLE = 64 * 1024;
/** A text is decoded in pieces of this size. */
const PIECE = 1024 * 1024;
/** A file with more control characters than one in so many is no text. */
const TEXT_BYTES_PER_CONTROL = 50;
/** A UTF-8 file may hold one broken character in so many, such as a name that an old program cut in the middle. */
const GOOD_PER_BROKEN = 10;

/** Finds the encoding by the byte order mark, else by what the bytes can be. Throws a `FileRefusal` for binary data. */
export function detectEncoding(bytes: Uint8Array): DetectedEncoding {
  const marked = byMark(bytes);
  if (marked !== null) return marked;
  const wide = unmarkedUtf16(bytes);
  if (wide !== null) return { encoding: wide, bom: 0 };
  if (isBinary(bytes)) throw new FileRefusal('This is no text: the file may be damaged, or of another kind.');
  return { encoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252', bom: 0 };
}

/** The length of the byte order mark that `bytes` have in `encoding`. */
export function bomLength(bytes: Uint8Array, encoding: Encoding): number {
  const marked = byMark(bytes);
  return marked?.encoding === encoding ? marked.bom : 0;
}

function byMark(bytes: Uint8Array): DetectedEncoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', bom: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', bom: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', bom: 2 };
  return null;
}

/** UTF-16 without a mark: nearly every other byte of Latin text is zero, and of addresses in any case. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length, SAMPLE) & ~1;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const many = length / 6;
  const few = length / 100;
  if (odd > many && even <= few) return 'utf-16le';
  if (even > many && odd <= few) return 'utf-16be';
  return null;
}

function isBinary(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, SAMPLE);
  let controls = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return true;
    // Tab, line ends, form feed, DOS end of file; unit and record separators delimit some exports.
    if (byte < 0x20 && !(byte >= 9 && byte <= 13) && byte !== 0x1a && byte < 0x1c && byte !== 1) controls++;
  }
  return controls * TEXT_BYTES_PER_CONTROL > length;
}

function isUtf8(bytes: Uint8Array): boolean {
  if (decodes(bytes)) return true;
  const decoder = new TextDecoder('utf-8');
  let broken = 0;
  let good = 0;
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const character of decoder.decode(bytes.subarray(at, at + PIECE), { stream: true })) {
      if (character === '\ufffd') broken++;
      else if (character > '\u007f') good++;
    }
  }
  return broken * GOOD_PER_BROKEN < good;
}

function decodes(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += PIECE) decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** Encodes text to add to a file. What the encoding cannot write becomes a question mark. */
export function encoderOf(encoding: Encoding): (text: string) => Uint8Array {
  if (encoding === 'utf-8') {
    const encoder = new TextEncoder();
    return (text) => encoder.encode(text);
  }
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return (text) => utf16(text, encoding === 'utf-16le');
  const bytes = singleBytes(encoding);
  return (text) => Uint8Array.from([...text], (character) => bytes.get(character) ?? 0x3f);
}

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  return bytes;
}

/** The characters that one byte writes in `encoding`: all of a Western one, ASCII of an East Asian one. */
function singleBytes(encoding: Encoding): Map<string, number> {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const character = decoder.decode(Uint8Array.of(byte));
    if (character.length === 1 && character !== '\ufffd') bytes.set(character, byte);
  }
  return bytes;
}
