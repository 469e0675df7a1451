import { Deadline } from '../../deadline.js';

/** A deadline that passes with another one, and can be cancelled before. `release` has to be called in the end. */
export interface DeadlinePart {
  readonly deadline: Deadline;
  release(): void;
}

export function partOf(whole: Deadline): DeadlinePart {
  const deadline = Deadline.after(whole.remainingMs());
  const end = (): void => deadline.cancel();
  if (whole.signal.aborted) end();
  else whole.signal.addEventListener('abort', end, { once: true });
  return {
    deadline,
    release: () => {
      whole.signal.removeEventListener('abort', end);
      deadline.release();
    },
  };
}
