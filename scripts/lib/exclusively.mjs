import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandLine, isAlive } from './processes.mjs';
import { say } from './say.mjs';
import { waitUntil } from './wait-until.mjs';

/** Long enough for another run to install and build everything on a slow machine. */
const waitMs = 15 * 60_000;

/**
 * Does a piece of work that two scripts must not do at the same time (installing, building), after waiting for the
 * other one. `file` holds the holder's process id; that of a process which is gone does not count.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function exclusively(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    if (!take(mine, file)) {
      say('  Another run is installing or building: waiting for it');
      if (!(await waitUntil(async () => take(mine, file), { ms: waitMs, everyMs: 200 }))) {
        throw new Error(`another run did not finish building in ${waitMs / 60_000} minutes`);
      }
    }
    return await work();
  } finally {
    if (holder(file) === process.pid) rmSync(file);
    rmSync(mine, { force: true });
  }
}

function take(mine, file) {
  const other = holder(file);
  if (other !== null && !(isAlive(other) && commandLine(other).includes('scripts'))) rmSync(file, { force: true });
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holder(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
