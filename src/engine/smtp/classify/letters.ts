/**
 * Letters in the form of the pattern table's phrases: lower case, without accents, `ß` as `ss`. Latin, Greek and
 * Cyrillic letters form words; each character of the scripts above them (kana, Han, Hangul, …) is its own word, because
 * these are written without spaces.
 */
const TABLE_END = 0x590;
const FIRST_PUNCTUATION = 0x2000;
const LAST_PUNCTUATION = 0x206f;

const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

const FOLDED: readonly string[] = Array.from({ length: TABLE_END }, (_, code) => fold(String.fromCharCode(code)));

function fold(character: string): string {
  const lower = character.toLowerCase();
  const spelled = SPELLED[lower];
  if (spelled !== undefined) return spelled;
  const letters = lower.normalize('NFD').replace(/\p{M}/gu, '');
  return /^[\p{L}\p{N}]+$/u.test(letters) ? letters : '';
}

/** The word characters of a character; empty for punctuation, spaces and controls. */
export function foldedCharacter(text: string, index: number): string {
  const code = text.charCodeAt(index);
  if (code < TABLE_END) return FOLDED[code] ?? '';
  if (code >= 0x1e00 && code <= 0x1eff) return fold(text.charAt(index));
  return isSign(code) ? text.charAt(index) : '';
}

/** True for a combining accent. */
export function isMark(code: number): boolean {
  return code >= 0x300 && code <= 0x36f;
}

/** True for a character that is a word by itself. */
export function isSign(code: number): boolean {
  if (code < TABLE_END || (code >= 0x1e00 && code <= 0x1eff)) return false;
  if (code >= FIRST_PUNCTUATION && code <= LAST_PUNCTUATION) return false;
  return !(code >= 0x3000 && code <= 0x303f) && !(code >= 0xff00 && code <= 0xff0f) && code < 0xfff0;
}
