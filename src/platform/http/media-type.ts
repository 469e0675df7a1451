import type { IncomingMessage } from 'node:http';

/** True for a body of the type text/csv, with any parameters. */
export function isCsv({ headers }: IncomingMessage): boolean {
  return /^text\/csv\b/i.test(headers['content-type'] ?? '');
}
