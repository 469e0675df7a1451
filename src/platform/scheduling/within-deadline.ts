export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

/** A deadline takes at least so many turns of the event loop, in each of which an answer may be read. */
const TURNS = 10;

/**
 * Resolves to the result of `work`, or rejects with `DeadlineMissed` after `ms`; a later result is ignored. A process that
 * is held up, on a busy machine or by its own work, gives `work` longer: it is not `work` that is late.
 */
export function withinDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let turns = 0;
    let timer: NodeJS.Timeout;
    const miss = (): void => reject(new DeadlineMissed(`no answer within ${ms} ms`));
    const wait = (): void => {
      turns += 1;
      // The answer may have come with the end of the last turn: what has come is read before `setImmediate` runs.
      timer = turns < TURNS ? setTimeout(wait, ms / TURNS) : setTimeout(() => setImmediate(miss), ms / TURNS);
    };
    wait();
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

/** False when the work takes longer; its result is then ignored. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  try {
    await withinDeadline(work, ms);
    return true;
  } catch (error) {
    if (error instanceof DeadlineMissed) return false;
    throw error;
  }
}
