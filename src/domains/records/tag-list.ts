import { MAX_TEXT_OCTETS } from './texts.js';

/** Tags of a tag-list in order, and what stood between semicolons but is no tag. */
export interface TagList {
  readonly tags: ReadonlyMap<string, string>;
  /** Pieces without a name and `=`, as written. A strict reader refuses the list for them. */
  readonly malformed: readonly string[];
}

const NAME = /^[ \t\r\n]*([A-Za-z][A-Za-z0-9_]*)[ \t\r\n]*$/;
const VALUE = /^[\x21-\x3a\x3c-\x7e \t\r\n]*$/;

/**
 * Reads `name=value; name=value` (RFC 6376 3.2), the syntax of DKIM key, DMARC and BIMI records. Values lose the white
 * space around them; names keep their case. null when a tag stands twice, which makes the whole list invalid, or when the
 * text is longer than any such record.
 */
export function parseTagList(text: string): TagList | null {
  if (text.length > MAX_TEXT_OCTETS) return null;
  const pieces = text.split(';');
  // One semicolon may stand at the end.
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

/** White space at any of the four places; null for what is no tag. */
function readTag(piece: string): { name: string; value: string } | null {
  const equals = piece.indexOf('=');
  const [, name] = NAME.exec(piece.slice(0, Math.max(0, equals))) ?? [];
  const value = piece.slice(equals + 1);
  return name !== undefined && VALUE.test(value) ? { name, value: value.trim() } : null;
}
