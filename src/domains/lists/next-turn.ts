import { setImmediate } from 'node:timers/promises';

/** Lets the event loop turn once: whoever waits has a chance. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
