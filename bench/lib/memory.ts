import { readFileSync, writeFileSync } from 'node:fs';

const MB_IN_KB = 1024;

/** Peak memory (RSS) of a process since `forgetPeak`, or since its start, in MB; NaN if unknown. */
export function peakMb(pid: number | undefined): number {
  return statusMb(pid, 'VmHWM');
}

/** Current memory. */
export function residentMb(pid: number | undefined): number {
  return statusMb(pid, 'VmRSS');
}

/** Resets the peak. Does nothing if Linux does not permit it. */
export function forgetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak then covers its whole life, which is never less.
  }
}

function statusMb(pid: number | undefined, field: 'VmHWM' | 'VmRSS'): number {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / MB_IN_KB;
}
