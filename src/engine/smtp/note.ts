import type { Trace } from '../trace.js';

/** Writes a decision to the trace, in words. */
export type Note = (text: string) => void;

/** A note that does nothing without a trace. */
export function noteTo(trace: Trace | undefined): Note {
  return trace ? (text) => trace({ kind: 'note', text }) : () => undefined;
}
