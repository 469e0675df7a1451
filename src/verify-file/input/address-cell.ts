/** A name before an address is no longer than this. */
const LONGEST_NAMED = 1000;
/** `Ann Lee <ann@example.com>`, as address books export it. */
const NAMED = /^[^<>]*<([^<>]*)>$/;
const SCHEME = /^mailto:\s*/i;

/** The address that a cell holds: the cell, trimmed, without a display name or `mailto:` around it. */
export function addressIn(cell: string): string {
  const text = cell.trim();
  if (text.length > LONGEST_NAMED) return text;
  const inside = NAMED.exec(text)?.[1]?.trim() ?? text;
  const address = inside.replace(SCHEME, '');
  const isAddress = address.slice(1, -1).includes('@') && !/\s/.test(address);
  return isAddress ? address : text;
}

/** True for what was meant to be an address, even if it is broken. A handle such as `@ann` and a URL were not. */
export function isMeantAsAddress(address: string): boolean {
  return address.indexOf('@') > 0 && !/\s|:\/\//.test(address);
}
