/** A name before an address is no longer than this. */
const LONGEST_NAMED = 1000;
/** `Ann Lee <ann@example.com>`, as address books export it. */
const NAMED = /^[^<>]*<\s*(?:mailto:)?([^<>\s]+@[^<>\s]+)\s*>$/i;
const SCHEME = /^mailto:\s*(\S+@\S+)$/i;

/** The address that a cell holds: the cell, trimmed, without a display name or `mailto:` around it. */
export function addressIn(cell: string): string {
  const text = cell.trim();
  if (text.length > LONGEST_NAMED) return text;
  if (text.endsWith('>')) return NAMED.exec(text)?.[1] ?? text;
  return SCHEME.exec(text)?.[1] ?? text;
}
