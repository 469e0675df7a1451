import { readFileSync } from 'node:fs';
import type { Log } from '../../logging/log.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from './limits.js';

/** Files for the database, Redis, name servers and mail hosts. Fewer where that is more than half. */
const FOR_OTHERS = 2000;

/**
 * The limits of a process that may open this many files: with none left it could neither accept connections nor open
 * its own, and those of strangers would have to be closed before.
 */
export function limitsWithin(files: number): ConnectionLimits {
  const connections = Math.floor(Math.max(files - FOR_OTHERS, files / 2));
  return { ...CONNECTION_LIMITS, connections: Math.min(connections, CONNECTION_LIMITS.connections) };
}

/** Those of this process. Warns where they are lower because it may open few files. */
export function limitsOfProcess(log: Log, files = openFilesLimit()): ConnectionLimits {
  const limits = limitsWithin(files);
  const { connections } = limits;
  if (connections < CONNECTION_LIMITS.connections) {
    log.warn(
      { files, connections },
      'this process may open few files and so takes fewer connections: raise the limit (LimitNOFILE of systemd, ulimit -Hn)',
    );
  }
  return limits;
}

/** Node has raised it to what it may be. Infinite where the system does not tell. */
export function openFilesLimit(read: () => string = readLimits): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(read())?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

function readLimits(): string {
  return readFileSync('/proc/self/limits', 'utf8');
}
