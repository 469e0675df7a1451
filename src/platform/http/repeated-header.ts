import type { IncomingMessage } from 'node:http';

/**
 * Whether a header was sent more than once. Node keeps the first of some headers and joins others with a comma, so that two
 * read like one.
 * @param name in small letters
 */
export function isRepeated({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): boolean {
  let seen = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const each = rawHeaders[i] ?? '';
    if (each.length !== name.length || each.toLowerCase() !== name) continue;
    if (seen) return true;
    seen = true;
  }
  return false;
}
