import { createReadStream } from 'node:fs';
import { CommandError } from '../../platform/cli/command-error.js';

/** A million lines fit in. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The text of a file that an operator named; a pipe such as /dev/stdin will do.
 * @throws CommandError when it cannot be read, is too large or is no UTF-8
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

/** By shape: an error of Node's own is no `Error` of ours where a test runs in a realm of its own. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
