import type { SyntaxFault } from './address.js';
import { hasHiddenCharacter } from './hidden-character.js';

const MAX_LOCAL_PART_OCTETS = 64;
const DOT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** `atext` of RFC 5322 3.2.3 without upper case, because the parser gets lowercase text. */
const ATEXT = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~") ATEXT[character.charCodeAt(0)] = 1;

export type ParsedLocalPart =
  | {
      readonly ok: true;
      /** The form for `RCPT TO`. */
      readonly localPart: string;
      readonly internationalized: boolean;
    }
  | { readonly ok: false; readonly fault: SyntaxFault };

/**
 * Parses a lowercase local part: a dot-string, or a quoted-string with its quotes (RFC 5321 4.1.2). Non-ASCII
 * characters (RFC 6531) become NFC. The limit of 64 octets counts the written form after NFC, quotes included.
 * Equal mailboxes get equal forms with minimum quoting (RFC 5321 4.1.2): `"john"` is `john`, `"a\ b"` is `"a b"`.
 */
export function parseLocalPart(written: string): ParsedLocalPart {
  if (written === '') return refuse('local_part_empty');
  const ascii = isAscii(written);
  const text = ascii ? written : written.normalize('NFC');
  if (Buffer.byteLength(text) > MAX_LOCAL_PART_OCTETS) return refuse('local_part_too_long');
  if (!ascii && hasHiddenCharacter(text)) return refuse('local_part_character');

  if (text.charCodeAt(0) !== QUOTE) {
    const fault = dotStringFault(text);
    return fault === null ? accept(text) : refuse(fault);
  }
  const content = quotedContent(text);
  if (content === null) return refuse('local_part_quoting');
  if (dotStringFault(content) === null) return accept(content);
  return accept(`"${content.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
}

/** Length of the ASCII dot-string before the first `@`; -1 if `text` does not begin so. */
export function plainLocalPartLength(text: string): number {
  let previous = DOT;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x40) return previous === DOT || i > MAX_LOCAL_PART_OCTETS ? -1 : i;
    if (code === DOT ? previous === DOT : ATEXT[code] !== 1) return -1;
    previous = code;
  }
  return -1;
}

/** The dot-string rule that `text` breaks, or null. */
function dotStringFault(text: string): SyntaxFault | null {
  if (text === '') return 'local_part_empty';
  let previous = DOT;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (previous === DOT) return 'local_part_dots';
    } else if (code < 128 && ATEXT[code] !== 1) {
      return 'local_part_character';
    }
    previous = code;
  }
  return previous === DOT ? 'local_part_dots' : null;
}

/** The content of a quoted-string without quoted-pairs; null if `text` is not exactly one quoted-string. */
function quotedContent(text: string): string | null {
  let content = '';
  for (let i = 1; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code === QUOTE) return i === text.length - 1 ? content : null;
    if (code === BACKSLASH) {
      code = text.charCodeAt(++i);
      // A quoted-pair is a backslash and one printable ASCII character; NaN (past the end) fails the test too.
      if (!(code >= 0x20 && code < 0x7f)) return null;
    } else if (code < 0x20 || code === 0x7f) {
      return null;
    }
    content += text[i];
  }
  return null;
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text);
}

function accept(localPart: string): ParsedLocalPart {
  return { ok: true, localPart, internationalized: !isAscii(localPart) };
}

function refuse(fault: SyntaxFault): ParsedLocalPart {
  return { ok: false, fault };
}
