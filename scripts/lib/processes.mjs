import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { waitUntil } from './wait-until.mjs';

/** Every process of a run carries this variable with the run's folder as its value, and so do its children. */
export const runVariable = 'MAILVET_RUN_FOLDER';

/** True while a process with this id exists. A zombie counts as gone: it holds no port and no file. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  return !/^\d+ \(.*\) Z/s.test(read(`/proc/${pid}/stat`) ?? '');
}

/**
 * True if this process was started for this run: process ids are used again, so a number in an old file proves nothing.
 * A server that rewrites its own environment (Redis does, for its title) is known by its working folder.
 */
export function isOfRun(pid, folder) {
  if (process.platform !== 'linux') return commandLine(pid).includes(folder);
  return carriesRun(pid, folder) || insideFolder(pid, folder);
}

/** The processes of this user that carry the run's variable. Linux only; elsewhere none are found. */
export function processesOfRun(folder) {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => pid !== process.pid && carriesRun(pid, folder) && isAlive(pid));
}

/** SIGTERM, then SIGKILL to those that are still there after `graceMs`. Returns when all are gone. */
export async function endProcesses(pids, graceMs) {
  const left = () => pids.filter(isAlive);
  for (const pid of left()) signal(pid, 'SIGTERM');
  if (await waitUntil(async () => left().length === 0, { ms: graceMs })) return;
  for (const pid of left()) signal(pid, 'SIGKILL');
  await waitUntil(async () => left().length === 0, { ms: 5000 });
}

/** Sends a signal; a process (or, with a negative id, a group) that is already gone is no error. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** The command line (and, where only `ps` can tell, the environment) of a process; empty when it is gone. */
export function commandLine(pid) {
  if (process.platform === 'linux') return (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
  try {
    return execFileSync('ps', ['eww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function carriesRun(pid, folder) {
  return (read(`/proc/${pid}/environ`) ?? '').split('\0').includes(`${runVariable}=${folder}`);
}

function insideFolder(pid, folder) {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}${sep}`.startsWith(`${folder}${sep}`);
  } catch {
    return false;
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
