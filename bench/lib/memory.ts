import { readFileSync, writeFileSync } from 'node:fs';

const MB_IN_KB = 1024;

/** The most memory (RSS) that a process had since `forgetPeak`, or ever, in MB; NaN where it cannot be told. */
export function peakMb(pid: number | undefined): number {
  return statusMb(pid, 'VmHWM');
}

/** What it has now. */
export function residentMb(pid: number | undefined): number {
  return statusMb(pid, 'VmRSS');
}

/** From now on the peak is what comes. Does nothing where Linux does not let us. */
export function forgetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak is then that of its whole life: never less than what is meant.
  }
}

function statusMb(pid: number | undefined, field: 'VmHWM' | 'VmRSS'): number {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / MB_IN_KB;
}
