import { pino, type DestinationStream } from 'pino';

/** What is kept of one turn, in UTF-16 units; more is written before it ends. */
const MAX_KEPT = 64 * 1024;
/** Octets of what cannot be written, on a full disk, and is tried again; lines beyond that are lost. */
const MAX_WAITING = 1024 * 1024;

/**
 * Standard output, written once for all lines of one turn of the event loop: a system call each is what a line costs most.
 * Nothing waits longer than that, and nothing is lost when the process ends or dies of an exception.
 */
export function stdoutByTurn(): DestinationStream & { flushSync(): void } {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING });
  // A log that cannot be written is no reason to end.
  let isStuck = false;
  output.on('error', () => (isStuck = true));
  output.on('write', () => (isStuck = false));
  let lines = '';
  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') output.write(text);
  };
  /** Pino calls it after a fatal line. It waits for the disk, so it is not for every turn. */
  const flushSync = (): void => {
    flush();
    // It would try until there is room.
    if (!isStuck) output.flushSync();
  };
  process.once('exit', flushSync);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (lines.length > MAX_KEPT) flush();
    },
    flushSync,
  };
}
