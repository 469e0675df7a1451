import { isAscii, isUtf8 } from 'node:buffer';
import { LATIN_ALPHABETS } from './common-characters.js';
import { fitness } from './fitness.js';

/**
 * Charsets of mail hosts that do not write UTF-8; the first wins a tie. The last three complement the Western one with
 * Polish, Czech and Turkish accents.
 */
const CANDIDATES = [
  ['windows-1252', LATIN_ALPHABETS.western],
  ['gb18030', []],
  ['big5', []],
  ['shift_jis', []],
  ['euc-jp', []],
  ['euc-kr', []],
  ['windows-1251', []],
  ['koi8-u', []],
  ['windows-1254', LATIN_ALPHABETS.turkish],
  ['windows-1250', LATIN_ALPHABETS.central],
  ['iso-8859-2', LATIN_ALPHABETS.central],
] as const;

/** Bytes used to detect the charset. */
const MAX_SAMPLE = 1_024;
/** The escapes that start Japanese text in ISO-2022-JP, which is otherwise ASCII. */
const JAPANESE_ESCAPES = ['\u001b$', '\u001b('];

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

export interface DecodedText {
  readonly text: string;
  /** How well the charset fits; `Infinity` if there is no doubt. */
  readonly fits: number;
}

/**
 * Decodes a mail host's bytes: as UTF-8 if valid, else in the charset that gives the likeliest text (decisions 6.3),
 * else as Western text. Never throws.
 */
export function decodeText(bytes: Buffer): DecodedText {
  if (isAscii(bytes)) {
    const text = bytes.toString('latin1');
    return sure(JAPANESE_ESCAPES.some((escape) => text.includes(escape)) ? decodeAs('iso-2022-jp', bytes) : text);
  }
  const utf8 = isUtf8(bytes) ? bytes : withoutCutCharacter(bytes);
  if (utf8 !== null) return sure(utf8.toString('utf8'));
  const { charset, fits } = bestCharset(bytes.subarray(0, MAX_SAMPLE));
  return { text: decodeAs(charset, bytes), fits };
}

function sure(text: string): DecodedText {
  return { text, fits: Number.POSITIVE_INFINITY };
}

function bestCharset(sample: Buffer): { readonly charset: string; readonly fits: number } {
  let best = { charset: 'windows-1252', fits: Number.NEGATIVE_INFINITY };
  for (const [charset, alphabets] of CANDIDATES) {
    const fits = fitness(decodeAs(charset, sample), alphabets);
    if (fits > best.fits) best = { charset, fits };
  }
  return best;
}

/** Decodes in the named charset; null if Node does not know the name. */
export function decodeNamed(charset: string, bytes: Buffer): string | null {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

function decodeAs(charset: string, bytes: Buffer): string {
  let decoder = decoders.get(charset);
  if (decoder === undefined) {
    decoder = new TextDecoder(charset);
    decoders.set(charset, decoder);
  }
  return decoder.decode(bytes);
}

/** Drops a last UTF-8 character cut off by a host that counts octets; null if anything else is wrong. */
function withoutCutCharacter(bytes: Buffer): Buffer | null {
  for (let cut = 1; cut <= 3 && cut < bytes.length; cut += 1) {
    const rest = bytes.subarray(0, bytes.length - cut);
    if (isUtf8(rest)) return isAscii(rest) ? null : rest;
  }
  return null;
}
