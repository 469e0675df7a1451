import { createReadStream } from 'node:fs';
import { CommandError } from '../../platform/cli/command-error.js';

/** Enough for a million lines. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file named by an operator; pipes such as /dev/stdin work too.
 * @throws CommandError if it is unreadable, too large or not UTF-8
 */
export async function readImportFile(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) throw new CommandError(`<file>: is larger than ${MAX_BYTES} bytes: split it`);
    }
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`<file>: ${reasonOf(error)}`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new CommandError('<file>: is no UTF-8 text');
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder: name a file',
  EACCES: 'may not be read by this user',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? `cannot be read (${code})`;
}

/** Checks the shape: if tests run in their own realm, Node's errors are not instances of our `Error`. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
