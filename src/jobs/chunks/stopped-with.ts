import { setMaxListeners } from 'node:events';

/** Aborted with the others; many may listen to it. */
export function stoppedWith(...others: readonly AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any([...others]);
  setMaxListeners(0, signal);
  return signal;
}
