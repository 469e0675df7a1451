import { setMaxListeners } from 'node:events';

/** Returns a signal that aborts when any of the given signals does, and allows many listeners. */
export function stoppedWith(...others: readonly AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any([...others]);
  setMaxListeners(0, signal);
  return signal;
}
