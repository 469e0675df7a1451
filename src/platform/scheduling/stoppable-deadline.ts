import { Deadline } from '../../engine/deadline.js';

/** Runs work with a deadline of `ms` milliseconds, which is cancelled when the process stops. */
export async function withDeadline<T>(
  ms: number,
  stop: AbortSignal,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = Deadline.after(ms);
  const cancel = (): void => deadline.cancel(new Error('the process stops'));
  stop.addEventListener('abort', cancel, { once: true });
  if (stop.aborted) cancel();
  try {
    return await work(deadline);
  } finally {
    stop.removeEventListener('abort', cancel);
    deadline.release();
  }
}
