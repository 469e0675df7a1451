/** Tags of a tag-list in order, and what stood between semicolons but is no tag. */
export interface TagList {
  readonly tags: ReadonlyMap<string, string>;
  /** Pieces without a name and `=`, as written. A strict reader refuses the list for them. */
  readonly malformed: readonly string[];
}

const TAG = /^[ \t\r\n]*([A-Za-z][A-Za-z0-9_]*)[ \t\r\n]*=[ \t\r\n]*([\x21-\x3a\x3c-\x7e \t\r\n]*)$/;
/** Longest record read; DNS messages end at 64 kB, no real record comes near a quarter of this. */
const MAX_OCTETS = 8_192;

/**
 * Reads `name=value; name=value` (RFC 6376 3.2), the syntax of DKIM key, DMARC and BIMI records. Values lose the white
 * space around them; names keep their case. null when a tag stands twice, which makes the whole list invalid, or when the
 * text is longer than any such record.
 */
export function parseTagList(text: string): TagList | null {
  if (text.length > MAX_OCTETS) return null;
  const pieces = text.split(';');
  // One semicolon may stand at the end.
  if (pieces.length > 1 && pieces.at(-1)?.trim() === '') pieces.pop();
  const tags = new Map<string, string>();
  const malformed: string[] = [];
  for (const piece of pieces) {
    const [, name, value] = TAG.exec(piece) ?? [];
    if (name === undefined || value === undefined) {
      malformed.push(piece.trim());
      continue;
    }
    if (tags.has(name)) return null;
    tags.set(name, value.trim());
  }
  return { tags, malformed };
}
