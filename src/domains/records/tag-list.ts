import { MAX_TEXT_OCTETS } from './texts.js';

/** Tags of a tag-list in order, and pieces between semicolons that are no tags. */
export interface TagList {
  readonly tags: ReadonlyMap<string, string>;
  /** Pieces without a name and `=`, as written. A strict reader rejects the list if there are any. */
  readonly malformed: readonly string[];
}

const NAME = /^[ \t\r\n]*([A-Za-z][A-Za-z0-9_]*)[ \t\r\n]*$/;
const VALUE = /^[\x21-\x3a\x3c-\x7e \t\r\n]*$/;

/**
 * Parses `name=value; name=value` (RFC 6376 3.2), the syntax of DKIM key, DMARC and BIMI records. Trims white space
 * around values; names keep their case. null if a tag is repeated, which invalidates the whole list, or if the text is
 * longer than any such record.
 */
export function parseTagList(text: string): TagList | null {
  if (text.length > MAX_TEXT_OCTETS) return null;
  const pieces = text.split(';');
  // A trailing semicolon is allowed.
  if (pieces.length > 1 && pieces.at(-1)?.trim() === '') pieces.pop();
  const tags = new Map<string, string>();
  const malformed: string[] = [];
  for (const piece of pieces) {
    const tag = readTag(piece);
    if (tag === null) {
      malformed.push(piece.trim());
      continue;
    }
    if (tags.has(tag.name)) return null;
    tags.set(tag.name, tag.value);
  }
  return { tags, malformed };
}

/** Allows white space in all four places; null if it is no tag. */
function readTag(piece: string): { name: string; value: string } | null {
  const equals = piece.indexOf('=');
  const [, name] = NAME.exec(piece.slice(0, Math.max(0, equals))) ?? [];
  const value = piece.slice(equals + 1);
  return name !== undefined && VALUE.test(value) ? { name, value: value.trim() } : null;
}
