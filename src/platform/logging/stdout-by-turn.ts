import { pino, type DestinationStream } from 'pino';

/** Buffer limit for one turn, in UTF-16 units; beyond it, lines are written early. */
const MAX_KEPT = 64 * 1024;
/** Octets kept for a retry while a full disk refuses them; further lines are lost. */
const MAX_WAITING = 1024 * 1024;

/**
 * Standard output with one write per event-loop turn: the system call is the main cost of a line. Nothing waits
 * longer, and nothing is lost when the process ends or dies of an exception.
 */
export function stdoutByTurn(): DestinationStream & { flushSync(): void } {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING });
  // A log that cannot be written must not end the process.
  let isStuck = false;
  output.on('error', () => (isStuck = true));
  output.on('write', () => (isStuck = false));
  let lines = '';
  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') output.write(text);
  };
  /** Pino calls it after a fatal line. It waits for the disk, so it is not used otherwise. */
  const flushSync = (): void => {
    flush();
    // It would retry until there is space.
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
