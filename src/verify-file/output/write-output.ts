import { open, rename, rm } from 'node:fs/promises';
import { CommandError } from '../../platform/cli/command-error.js';

const WRITTEN_AT_ONCE = 256 * 1024;

/** Writes a file that appears whole, by one rename. @throws CommandError if it cannot be written */
export async function writeFileWhole(path: string, octets: AsyncIterable<Buffer>): Promise<void> {
  const partial = `${path}.partial`;
  try {
    const file = await open(partial, 'w');
    try {
      for await (const piece of inPieces(octets)) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof CommandError || !(error instanceof Error) || !('code' in error)) throw error;
    const why = error.code === 'ENOSPC' ? 'no space is left on the device' : String(error.code);
    throw new CommandError(
      `${path} can't be written: ${why}. The answers are kept: make room, and type the same again`,
      3,
    );
  }
}

/** Joins small buffers. */
export async function* inPieces(octets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const some of octets) {
    held.push(some);
    length += some.length;
    if (length < WRITTEN_AT_ONCE) continue;
    yield Buffer.concat(held);
    held = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(held);
}
