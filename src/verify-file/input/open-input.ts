import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../../platform/cli/command-error.js';

/** The octets of the input, which are read several times. */
export interface Input {
  /** As the operator typed it, or `stdin`. */
  readonly name: string;
  read(from?: number): AsyncIterable<Buffer>;
  /** True once somebody has written into the file. */
  hasChanged(): Promise<boolean>;
  close(): Promise<void>;
}

const CHUNK = 256 * 1024;

/** Opens the file; `-` is stdin. What can be read only once is copied to a temporary file that has no name any more. */
export async function openInput(name: string, stdin: AsyncIterable<Buffer>): Promise<Input> {
  if (name === '-') return opened('stdin', await copied(stdin));
  const file = await open(name).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(unreadable(name, error));
  });
  const stat = await file.stat();
  if (stat.isDirectory()) {
    await file.close();
    throw new CommandError(`${name} is a folder. Name a CSV, TSV or TXT file in it`);
  }
  if (stat.isFile()) return opened(name, file);
  const copy = await copied(file.createReadStream({ highWaterMark: CHUNK }));
  return opened(name, copy);
}

async function opened(name: string, file: FileHandle): Promise<Input> {
  const { size, mtimeMs } = await file.stat();
  return {
    name,
    read: (from = 0) => octetsOf(file, from),
    hasChanged: async () => {
      const now = await file.stat();
      return now.size !== size || now.mtimeMs !== mtimeMs;
    },
    close: () => file.close(),
  };
}

/** No stream: one that is left early closes the file for those that come after it. */
async function* octetsOf(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  for (let position = from; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function copied(source: AsyncIterable<Buffer>): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'mailvet-'));
  const opening = open(join(folder, 'input'), 'wx+', 0o600);
  await opening.catch(() => undefined);
  await rm(folder, { recursive: true });
  const file = await opening;
  for await (const chunk of source) await file.writeFile(chunk);
  return file;
}

function unreadable(name: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `there is no file ${name}. Name the file with the addresses, or - for stdin`;
  if (code === 'EACCES') return `${name} may not be read by this user. Type: chmod u+r ${name}`;
  return `${name} can't be read: ${code ?? message}`;
}
