export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

/** What `work` comes to; a `DeadlineMissed` after `ms`, and then what it still comes to is nobody's business. */
export async function withinDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineMissed(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
