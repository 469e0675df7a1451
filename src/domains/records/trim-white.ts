/**
 * Trims only spaces and tabs (WSP of RFC 5234) at both ends. A loop, because a pattern anchored at the end takes
 * quadratic time on long inner runs of spaces.
 */
export function trimWhite(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhite(text.charCodeAt(start))) start++;
  while (end > start && isWhite(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isWhite(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
