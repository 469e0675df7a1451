import { readFileSync } from 'node:fs';

/**
 * How long the main threads of these processes were ready to run and had no processor, so far: what a machine that others use too
 * adds to any wait. 0 where the system does not tell.
 */
export function waitedForProcessorMs(...pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ofProcess(pid), 0);
}

/** Tells the milliseconds since now, less what these processes spent waiting for a processor. */
export function stopwatch(...pids: readonly number[]): () => number {
  const [began, owed] = [performance.now(), waitedForProcessorMs(...pids)];
  return () => performance.now() - began - (waitedForProcessorMs(...pids) - owed);
}

function ofProcess(pid: number): number {
  try {
    const [, waitedNs = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
