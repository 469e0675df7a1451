import { setFlagsFromString } from 'node:v8';

/** Heap growth before old objects are collected again. V8's default is up to four times as much on a large machine. */
const GROWTH_PERCENT = 50;

/**
 * Makes V8 collect garbage earlier than it would with much free memory. For a process with a small heap and much
 * garbage: 100,000 addresses of jobs take 220 MB instead of 420, for the same CPU time.
 */
export function growHeapSlowly(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
