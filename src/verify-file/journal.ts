import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { CheckFacts } from '../engine/check.js';
import type { Mode } from '../engine/verdict/result.js';
import { CommandError } from '../platform/cli/command-error.js';
import { readFacts } from '../verify/cache/facts-text.js';
import { shellWord } from './typed-command.js';

/** What must be the same for a run to go on where another one ended. */
export interface JournalHead {
  /** SHA-256 of the input. */
  readonly input: string;
  readonly mode: Mode;
  /** From 1. */
  readonly column: number;
}

/** Facts about the address that stands first in a row. */
export interface JournalLine {
  /** From 1, column names and blank rows included. */
  readonly row: number;
  readonly checkedAt: Date;
  readonly facts: CheckFacts;
}

const VERSION = 1;

/**
 * The facts of a run, beside its output, so that the same command goes on after a crash. It holds no address. Each line
 * is handed to the operating system before the run goes on: what an ended process has noted stays.
 */
export class Journal {
  private constructor(
    readonly path: string,
    private readonly file: number,
    private position: number,
  ) {}

  static pathFor(out: string): string {
    return `${out}.journal`;
  }

  /**
   * Opens the journal of an output, or begins one.
   * @param onLine called with what earlier runs noted, in the order they did
   * @throws CommandError if it is another run's, or cannot be written
   */
  static async open(out: string, head: JournalHead, onLine: (line: JournalLine) => void): Promise<Journal> {
    const path = Journal.pathFor(out);
    const length = await readJournal(path, head, onLine);
    let file: number;
    try {
      file = openSync(path, length === 0 ? 'w' : 'r+', 0o600);
    } catch (error) {
      throw unwritable(path, error as NodeJS.ErrnoException);
    }
    // A line that was cut when its writer ended.
    ftruncateSync(file, length);
    const journal = new Journal(path, file, length);
    if (length === 0) journal.append(firstOf(head));
    return journal;
  }

  note({ row, checkedAt, facts }: JournalLine): void {
    this.append({ row, at: checkedAt.getTime(), facts });
  }

  close(): void {
    closeSync(this.file);
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }

  private append(value: object): void {
    const line = Buffer.from(lineOf(value));
    try {
      for (let from = 0; from < line.length;)
        from += writeSync(this.file, line, from, line.length - from, this.position + from);
    } catch (error) {
      throw unwritable(this.path, error as NodeJS.ErrnoException);
    }
    this.position += line.length;
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** What the first line says. */
function firstOf(head: JournalHead): object {
  return { journal: VERSION, ...head };
}

type OnLine = (line: JournalLine) => void;

/** @returns the octets of the lines that are whole */
async function readJournal(path: string, head: JournalHead, onLine: OnLine): Promise<number> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unwritable(path, error);
  });
  if (file === null) return 0;
  try {
    return await readLines(file, path, head, onLine);
  } finally {
    await file.close();
  }
}

async function readLines(file: FileHandle, path: string, head: JournalHead, onLine: OnLine): Promise<number> {
  let length = 0;
  const { size } = await file.stat();
  for await (const text of file.readLines({ autoClose: false, start: 0 })) {
    const octets = Buffer.byteLength(text) + 1;
    const value = length + octets <= size ? parsed(text) : null;
    // The disk was full when the run began.
    if (length === 0 && octets > size && lineOf(firstOf(head)).startsWith(text)) break;
    if (length === 0) {
      requireSame(value ?? {}, path, head);
    } else {
      const line = value === null ? null : toLine(value);
      if (line === null) break;
      onLine(line);
    }
    length += octets;
  }
  return length;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function toLine({ row, at, facts }: Readonly<Record<string, unknown>>): JournalLine | null {
  const read = readFacts(facts);
  if (typeof row !== 'number' || typeof at !== 'number' || read === null) return null;
  return { row, checkedAt: new Date(at), facts: read };
}

function requireSame(found: Readonly<Record<string, unknown>>, path: string, head: JournalHead): void {
  const fresh = `To begin anew, type: rm ${shellWord(path)}`;
  if (found['journal'] !== VERSION) throw new CommandError(`${path} is no journal of this release. ${fresh}`);
  if (found['input'] !== head.input) throw new CommandError(`${path} belongs to a run over another input. ${fresh}`);
  if (found['mode'] !== head.mode) {
    throw new CommandError(
      `${path} belongs to a run with --mode ${String(found['mode'])}: type that to go on. ${fresh}`,
    );
  }
  if (found['column'] !== head.column) {
    throw new CommandError(
      `${path} belongs to a run with --column ${String(found['column'])}: type that to go on. ${fresh}`,
    );
  }
}

function unwritable(path: string, { code, message }: NodeJS.ErrnoException): CommandError {
  if (code === 'ENOENT')
    return new CommandError(`there is no folder for ${path}. Make it, or name a file in another one`);
  if (code === 'EACCES' || code === 'EROFS')
    return new CommandError(`${path} can't be written by this user. Name a file in another folder with --out`);
  if (code === 'ENOSPC') return new CommandError(`${path} can't be written: no space is left on the device`, 3);
  return new CommandError(`${path} can't be written: ${code ?? message}`);
}
