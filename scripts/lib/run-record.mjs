import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, endProcesses, isAlive, isOfRun, processesOfRun } from './processes.mjs';
import { waitUntil } from './wait-until.mjs';

/**
 * @typedef {{ keeper: number, script: number, since: string, stopping: boolean, processes: number[] }} Record
 * The file `run.json` in a run's folder: who uses the folder now. It is the lock and the memory of what to clean up.
 */

/** How long a new run waits for one of the same name that is on its way out. */
const stoppingMs = 40_000;

/**
 * Takes the folder for this keeper, after cleaning up what a crashed run left.
 * @param {string} folder
 * @param {Record} record
 * @returns {Promise<Record | null>} the run that holds the folder, or null: it is ours now
 */
export async function takeFolder(folder, record) {
  const file = join(folder, 'run.json');
  const mine = join(folder, `run.${process.pid}.json`);
  try {
    for (;;) {
      writeFileSync(mine, JSON.stringify(record), { mode: 0o600 });
      if (linkIfAbsent(mine, file)) return null;
      const holder = readRecord(file);
      if (holder && isRunning(holder, folder)) {
        if (!isEnding(holder)) return holder;
        if (!(await waitUntil(async () => !isRunning(holder, folder), { ms: stoppingMs, everyMs: 50 }))) return holder;
      }
      await endWhatIsLeft(folder, holder?.processes ?? []);
      setAside(file, mine, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Replaces the record in one step, so that a reader never sees half of it. */
export function writeRecord(folder, record) {
  const next = join(folder, `run.${process.pid}.json`);
  writeFileSync(next, JSON.stringify(record), { mode: 0o600 });
  renameSync(next, join(folder, 'run.json'));
}

/** Gives the folder back. */
export function releaseFolder(folder) {
  rmSync(join(folder, 'run.json'), { force: true });
}

/**
 * Ends every process of this run that is still there: the recorded ones that are really ours, and any that inherited
 * the run's variable.
 */
export async function endWhatIsLeft(folder, recorded) {
  const ours = recorded.filter((pid) => isAlive(pid) && isOfRun(pid, folder));
  await endProcesses([...new Set([...ours, ...processesOfRun(folder)])], 10_000);
}

function isRunning({ keeper }, folder) {
  return keeper !== process.pid && isAlive(keeper) && commandLine(keeper).includes(folder);
}

/** A run whose script is gone ends by itself within a moment. */
function isEnding({ stopping, script }) {
  return stopping || !isAlive(script);
}

function linkIfAbsent(existing, path) {
  try {
    linkSync(existing, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Removes a stale record, but not the fresh one of a run that was quicker than us. */
function setAside(file, mine, judged) {
  try {
    renameSync(file, mine);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  const taken = readRecord(mine);
  if (taken && taken.keeper !== judged?.keeper) linkIfAbsent(mine, file);
}
