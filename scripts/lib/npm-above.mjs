import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandLine, isAlive } from './processes.mjs';

const everyMs = 250;

/**
 * Calls back when the npm that runs this script is gone: on SIGTERM it ends its shell and itself but not what the
 * shell runs, and a kill -9 it cannot pass on. Without npm above it never calls.
 */
export function whenNpmIsGone(callback) {
  const npm = process.env.npm_lifecycle_event ? npmAbove(process.ppid) : null;
  if (npm === null) return;
  const timer = setInterval(() => {
    if (isAlive(npm)) return;
    clearInterval(timer);
    callback();
  }, everyMs);
  timer.unref();
}

/** npm is the parent, or the parent of the shell between. */
function npmAbove(pid, generations = 3) {
  if (generations === 0 || !(pid > 1)) return null;
  return /\bnpm\b/.test(commandLine(pid).slice(0, 200)) && !/^\S*sh -c/.test(commandLine(pid))
    ? pid
    : npmAbove(parentOf(pid), generations - 1);
}

function parentOf(pid) {
  try {
    if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)]));
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1'); // pid (name) state ppid …
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
