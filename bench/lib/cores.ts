import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const CORES = availableParallelism();
/** As `getconf CLK_TCK` says it on every Linux. */
const TICKS_PER_SECOND = 100;

/** The servers that are compared have one core to themselves; the load and all databases share the others. */
export const SERVER_CORE = '1';
export const OTHER_CORES = CORES > 2 ? `0,2-${CORES - 1}` : '0';

/** Ties processes, threads and all, to some cores. Does nothing where there is one core, or no `taskset`. */
export function tieTo(cores: string, pids: readonly (number | undefined)[]): void {
  if (CORES < 2 || process.platform !== 'linux') return;
  for (const pid of pids) {
    if (pid === undefined) continue;
    try {
      execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
    } catch {
      // Without the program, or without the right: the ratio is taken on an untidier machine.
    }
  }
}

/** Lets them run anywhere again. */
export function untie(pids: readonly (number | undefined)[]): void {
  tieTo(`0-${CORES - 1}`, pids);
}

/** Processor time that a process has used, user and system, in seconds; NaN where it cannot be told. */
export function cpuSeconds(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
