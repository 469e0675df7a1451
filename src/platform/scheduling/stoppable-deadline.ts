import { Deadline } from '../../engine/deadline.js';

/**
 * Runs work with a deadline of `ms` milliseconds, which is cancelled when `stop` is aborted: the process stops, or the
 * work that this is a part of has ended.
 */
export async function withDeadline<T>(
  ms: number,
  stop: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = Deadline.after(ms);
  const cancel = (): void => deadline.cancel(new Error('the work was stopped'));
  stop?.addEventListener('abort', cancel, { once: true });
  if (stop?.aborted === true) cancel();
  try {
    return await work(deadline);
  } finally {
    stop?.removeEventListener('abort', cancel);
    deadline.release();
  }
}
