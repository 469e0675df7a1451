import { MAX_TEXT_OCTETS } from './texts.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

/**
 * Parses the fields after the version in `v=X; name=value; name=value;`, the syntax that MTA-STS and TLS-RPT share (RFC
 * 8461 3.1, RFC 8460 3): white space around semicolons, none around `=`, one optional semicolon at the end. White space
 * at the very end, which the grammar has only behind a semicolon, is accepted as senders do. null for anything else.
 *
 * @param value pattern of valid values
 */
export function readVersionFields(
  record: string,
  value: RegExp,
): readonly (readonly [name: string, value: string])[] | null {
  if (record.length > MAX_TEXT_OCTETS) return null;
  const pieces = record.split(';').map((piece) => trimWhite(piece));
  if (pieces.at(-1) === '') pieces.pop();
  const fields: (readonly [string, string])[] = [];
  for (const piece of pieces.slice(1)) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(0, equals));
    const text = piece.slice(equals + 1);
    if (!NAME.test(name) || !value.test(text)) return null;
    fields.push([name, text]);
  }
  return fields;
}

/**
 * Trims only spaces and tabs (WSP of RFC 5234) at both ends. A loop, because a pattern anchored at the end takes
 * quadratic time on long inner runs of spaces.
 */
function trimWhite(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhite(text.charCodeAt(start))) start++;
  while (end > start && isWhite(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isWhite(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
