/** The time of one call: monotonic clock, milliseconds. */
export class CallTime {
  private readonly began = performance.now();

  /**
   * @param deadlineMs whole budget of the call
   * @param pendingAfterMs when to answer the caller with whatever is known; null: at the deadline
   */
  constructor(
    private readonly deadlineMs: number,
    private readonly pendingAfterMs: number | null,
  ) {}

  /** Milliseconds left of the whole budget; never less than 1. */
  leftMs(): number {
    return Math.max(1, this.deadlineMs - this.spentMs());
  }

  /** Milliseconds that the caller still waits; never less than 1. */
  patienceMs(): number {
    if (this.pendingAfterMs === null) return this.leftMs();
    return Math.max(1, Math.min(this.deadlineMs, this.pendingAfterMs) - this.spentMs());
  }

  private spentMs(): number {
    return performance.now() - this.began;
  }
}

/** Awaits work for at most `ms`; null on timeout: the work goes on. */
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
