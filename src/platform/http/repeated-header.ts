import type { IncomingMessage } from 'node:http';

/**
 * True when a header was sent more than once. Node keeps the first of some headers and joins others with a comma, so
 * two look like one.
 * @param name in lower case
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
