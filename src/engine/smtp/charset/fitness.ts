import { COMMON_HAN, COMMON_HANGUL, COMMON_PAIRS, LATIN_ALPHABETS } from './common-characters.js';

/** Characters that no text holds: the bytes are in another charset. */
const IMPOSSIBLE = -12;
/** Quotation marks and dashes of Windows-1252, which Node does not decode. */
const QUOTE = -1;
const RARE_SIGN = -2;
const COMMON_SIGN = 4;
/** A letter takes one byte, a CJK character two. */
const LETTER = 1.6;
const COMMON_PAIR = 0.6;
/** An upper-case letter after a lower-case one, or a Latin letter after a Cyrillic one. */
const BROKEN_WORD = -3;
const FOREIGN_LETTER = -3;
const SYMBOL_IN_WORD = -4;

type LatinAlphabets = readonly ReadonlySet<string>[];

/** Scores how much a text looks like real text: the higher, the better the charset fits. */
export function fitness(text: string, alphabets: LatinAlphabets = LATIN_ALPHABETS.western): number {
  let score = 0;
  const latin: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    if (isLatinLetter(code)) latin.push(text.charAt(index));
    score += scoreOf(text, index, code);
  }
  return score + latinScore(latin, alphabets);
}

function scoreOf(text: string, index: number, code: number): number {
  if (code >= 0x91 && code <= 0x97) return QUOTE;
  if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff) || code < 0xa0) return IMPOSSIBLE;
  if (isLatinLetter(code)) return latinLetter(text, index);
  if (code >= 0x400 && code <= 0x4ff) return cyrillicLetter(text, index);
  if (code >= 0x3041 && code <= 0x30ff) return COMMON_SIGN;
  if (code >= 0xff61 && code <= 0xff9f) return RARE_SIGN / 2;
  if (code >= 0xac00 && code <= 0xd7a3) return COMMON_HANGUL.has(text.charAt(index)) ? COMMON_SIGN : RARE_SIGN;
  if (code >= 0x3400 && code <= 0x9fff)
    return COMMON_HAN.has(text.charAt(index)) && !isInLatinWord(text, index) ? COMMON_SIGN : RARE_SIGN;
  // Full-width East Asian punctuation.
  if ((code >= 0x3000 && code <= 0x3003) || code === 0xff0c || code === 0xff1a || code === 0xff01)
    return COMMON_SIGN / 2;
  if (isWordSymbol(code)) return isLetterAt(text, index - 1) || isLetterAt(text, index + 1) ? SYMBOL_IN_WORD : 0;
  return code < 0x2000 || isBoxDrawing(code) ? RARE_SIGN : 0;
}

/** A single CJK character at the end of a Latin word: an accented letter and the next letter, read as one. */
function isInLatinWord(text: string, index: number): boolean {
  return /[a-z]/.test(text.charAt(index - 1)) && !(text.charCodeAt(index + 1) > 0x7f);
}

/** Box-drawing characters, which KOI8-R has where other charsets have letters. */
function isBoxDrawing(code: number): boolean {
  return code >= 0x2500 && code <= 0x25ff;
}

function isLatinLetter(code: number): boolean {
  return code >= 0xc0 && code <= 0x17f && code !== 0xd7 && code !== 0xf7;
}

/** Symbols of the Latin-1 supplement, which stand between words and never inside one. */
function isWordSymbol(code: number): boolean {
  return (code >= 0xa0 && code <= 0xbf) || code === 0xd7 || code === 0xf7 || (code >= 0x2c0 && code <= 0x2ff);
}

/** Accented letters stand among unaccented ones. */
function latinLetter(text: string, index: number): number {
  const before = text.charCodeAt(index - 1);
  if (isLatinLetter(before)) return BROKEN_WORD / 2;
  const letter = text.charAt(index);
  const isUpper = letter !== letter.toLowerCase();
  if (isUpper && isLowerAt(text, index - 1)) return BROKEN_WORD;
  // Italian has these only at the end of words; in Czech charsets they are other letters.
  return (letter === 'ì' || letter === 'ò') && isLetterAt(text, index + 1) ? BROKEN_WORD : 0;
}

/** Scores the letters by the language that most of them belong to. */
function latinScore(letters: readonly string[], alphabets: LatinAlphabets): number {
  if (letters.length === 0 || alphabets.length === 0) return RARE_SIGN * letters.length;
  const lower = letters.map((letter) => (letter === 'İ' ? 'ı' : letter.toLowerCase()));
  const scores = alphabets.map((alphabet) =>
    lower.reduce((sum, letter) => sum + (alphabet.has(letter) ? LETTER : FOREIGN_LETTER), 0),
  );
  return Math.max(...scores);
}

function cyrillicLetter(text: string, index: number): number {
  const letter = text.charAt(index);
  const isUpper = letter !== letter.toLowerCase();
  const before = text.charAt(index - 1);
  if (isUpper && isLowerAt(text, index - 1)) return BROKEN_WORD;
  if (/[a-z]/i.test(before) || /[a-z]/i.test(text.charAt(index + 1))) return BROKEN_WORD;
  const pair = `${before}${letter}`.toLowerCase();
  return LETTER * 0.75 + (COMMON_PAIRS.has(pair) ? COMMON_PAIR : 0);
}

function isLowerAt(text: string, index: number): boolean {
  const letter = text.charAt(index);
  return letter !== letter.toUpperCase();
}

function isLetterAt(text: string, index: number): boolean {
  const letter = text.charAt(index);
  return letter.toLowerCase() !== letter.toUpperCase();
}
