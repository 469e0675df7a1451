export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

/** What `work` comes to; a `DeadlineMissed` after `ms`, and then what it still comes to is nobody's business. */
export function withinDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineMissed(`no answer within ${ms} ms`)), ms);
    // One step, not a chain: this is on the way of every request.
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
