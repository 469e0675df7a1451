/** A line of a client is never that long (RFC 5321 4.5.3.1.4 has 512); beyond it the session is over. */
const LONGEST_LINE = 8192;

/** Cuts what a client sends into lines and hands them out one by one. */
export class ClientLines {
  private partial = '';
  private readonly ready: string[] = [];
  private ended = false;
  private wake: (() => void) | null = null;

  push(chunk: Buffer): void {
    const lines = (this.partial + chunk.toString('utf8')).split(/\r?\n/);
    this.partial = lines.pop() ?? '';
    this.ready.push(...lines);
    if (this.partial.length > LONGEST_LINE) this.ended = true;
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /** Lines that have come and were not yet asked for. */
  get waiting(): number {
    return this.ready.length;
  }

  /** Forgets what has come: plain text before TLS counts for nothing (RFC 3207 4.2). */
  clear(): void {
    this.ready.length = 0;
    this.partial = '';
  }

  /** The next line; null once the client is gone. */
  async next(): Promise<string | null> {
    while (this.ready.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.wake = null;
    return this.ready.shift() ?? null;
  }
}
