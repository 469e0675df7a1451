import { decodeText } from './decode-text.js';
import { decodeEncodedWords } from './encoded-words.js';

/** Neither escapes of ISO-2022-JP nor encoded words are in it. */
// oxlint-disable-next-line no-control-regex -- the range of ASCII but for the escape
const PLAIN = /^[\u0000-\u001a\u001c-\u007f]*$/;

/**
 * The lines of one reply, a character for each of their bytes, as text. They are decoded together: a charset is told more
 * surely by all of them, and some hosts cut a line in the middle of a character.
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
