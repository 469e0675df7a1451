import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const CORES = availableParallelism();
/** Clock ticks per second, the value of `getconf CLK_TCK` on every Linux. */
const TICKS_PER_SECOND = 100;

/** Compared servers have one core to themselves; load generator and databases share the others. */
export const SERVER_CORE = '1';
export const OTHER_CORES = CORES > 2 ? `0,2-${CORES - 1}` : '0';

/** Pins processes with all threads to some cores. Does nothing with a single core or without `taskset`. */
export function tieTo(cores: string, pids: readonly (number | undefined)[]): void {
  if (CORES < 2 || process.platform !== 'linux') return;
  for (const pid of pids) {
    if (pid === undefined) continue;
    try {
      execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
    } catch {
      // Without the program or the permission, the ratio is measured unpinned.
    }
  }
}

/** Removes the pinning. */
export function untie(pids: readonly (number | undefined)[]): void {
  tieTo(`0-${CORES - 1}`, pids);
}

/** CPU time of a process, user and system, in seconds; NaN if unknown. */
export function cpuSeconds(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
