/** The time of one call, on the monotonic clock, in milliseconds. */
export class CallTime {
  private readonly began = performance.now();

  /**
   * @param deadlineMs whole budget of the call
   * @param pendingAfterMs when its caller is answered whatever is known by then; null: it waits to the deadline
   */
  constructor(
    private readonly deadlineMs: number,
    private readonly pendingAfterMs: number | null,
  ) {}

  /** Of the whole budget; never less than 1. */
  leftMs(): number {
    return Math.max(1, this.deadlineMs - this.spentMs());
  }

  /** How long the caller still waits; never less than 1. */
  patienceMs(): number {
    if (this.pendingAfterMs === null) return this.leftMs();
    return Math.max(1, Math.min(this.deadlineMs, this.pendingAfterMs) - this.spentMs());
  }

  private spentMs(): number {
    return performance.now() - this.began;
  }
}

/** What work comes to; null when it takes longer than so many milliseconds: it goes on. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
