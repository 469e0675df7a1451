import type { Trace } from '../trace.js';

/** Tells the trace, in words, what was decided. */
export type Note = (text: string) => void;

/** Says nothing where nobody listens. */
export function noteTo(trace: Trace | undefined): Note {
  return trace ? (text) => trace({ kind: 'note', text }) : () => undefined;
}
