import { isAscii, isUtf8 } from 'node:buffer';
import { LATIN_ALPHABETS } from './common-characters.js';
import { fitness } from './fitness.js';

/**
 * Charsets of mail hosts that do not write UTF-8; the first of those that fit equally well. The last three are beside the
 * Western one for the accents of Polish, Czech and Turkish.
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

/** Bytes by which a charset is told. */
const MAX_SAMPLE = 1_024;
/** ISO-2022-JP is ASCII but for what it puts between these. */
const JAPANESE_ESCAPES = ['\u001b$', '\u001b('];

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

export interface DecodedText {
  readonly text: string;
  /** How well the charset fits; endless where there is no doubt. */
  readonly fits: number;
}

/**
 * Bytes of a mail host as text: UTF-8 where they are, else the charset that gives the most likely text (decisions 6.3). Never
 * throws; what fits nothing is read as Western text.
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

/** In any charset that this Node knows, by any of its names; null for a name that it does not know. */
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

/** UTF-8 whose last character was cut off, by a host that counts octets; null where that is not all that is wrong. */
function withoutCutCharacter(bytes: Buffer): Buffer | null {
  for (let cut = 1; cut <= 3 && cut < bytes.length; cut += 1) {
    const rest = bytes.subarray(0, bytes.length - cut);
    if (isUtf8(rest)) return isAscii(rest) ? null : rest;
  }
  return null;
}
