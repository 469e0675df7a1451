/**
 * Without the spaces and tabs at both ends (WSP of RFC 5234), and nothing else. A loop, because a pattern for the end takes
 * quadratic time on long runs of spaces inside.
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
