/** Longest line of a client (RFC 5321 4.5.3.1.4 allows 512); a longer one ends the session. */
const LONGEST_LINE = 8192;

/** Splits a client's bytes into lines and returns them one by one. */
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

  /** Received lines not read yet. */
  get waiting(): number {
    return this.ready.length;
  }

  /** Discards received lines: plain text before TLS does not count (RFC 3207 4.2). */
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
