import { decodeText } from './decode-text.js';
import { decodeEncodedWords } from './encoded-words.js';

/** Text without ISO-2022-JP escapes and encoded words. */
// oxlint-disable-next-line no-control-regex -- the range of ASCII but for the escape
const PLAIN = /^[\u0000-\u001a\u001c-\u007f]*$/;

/**
 * Decodes the lines of one reply, which hold one character per byte. All lines are decoded together: more text
 * identifies the charset better, and some hosts break lines inside a character.
 */
export function decodeLines(lines: readonly string[]): readonly string[] {
  const encoded = lines.some((line) => line.includes('=?'));
  if (!encoded && lines.every((line) => PLAIN.test(line))) return lines;
  return decodeEncodedWords(decodeTogether(lines)).split('\n');
}

function decodeTogether(lines: readonly string[]): string {
  const apart = decodeText(Buffer.from(lines.join('\n'), 'latin1'));
  if (lines.length === 1 || apart.fits === Number.POSITIVE_INFINITY) return apart.text;
  const unbroken = decodeText(Buffer.from(lines.join(''), 'latin1'));
  return unbroken.fits > apart.fits ? unbroken.text : apart.text;
}
