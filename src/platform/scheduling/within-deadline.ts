export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

/**
 * Resolves to the result of `work`, or rejects with `DeadlineMissed` after `ms`; a later result is ignored. A process that
 * was held up finds the answer and the end of its time at once: it reads what has come first.
 */
export function withinDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const miss = (): void => reject(new DeadlineMissed(`no answer within ${ms} ms`));
    const timer = setTimeout(() => setImmediate(miss), ms);
    // One step, not a chain: every request passes here.
    work.then(
      // oxlint-disable-next-line promise/always-return
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever it was
        reject(error);
      },
    );
  });
}
