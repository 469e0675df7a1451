/** Maximum number of extra chunks in progress: their rows are read and written while other chunks probe. */
const READ_AHEAD = 20;

/**
 * Chunks in progress in a process, at most three for each that probes: reading and writing take longer than a probe.
 * @param concurrency chunks that probe at once
 */
export function chunksAtOnce(concurrency: number): number {
  return concurrency + Math.min(2 * concurrency, READ_AHEAD);
}
