import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';

/** Notes in the database that these keys were used just now. */
export type WriteKeyUsage = (keyIds: readonly string[]) => Promise<void>;

export interface KeyUsageOptions {
  readonly write: WriteKeyUsage;
  /** Told of a write that failed: the note is lost until the key's next minute, the request was served. */
  readonly onError: (error: unknown) => void;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/** `last_used_at` is coarse (decisions 2.1): each key is noted once a minute by each process. */
const NOTE_EVERY_MS = 60_000;
const WRITE_EVERY_MS = 5000;
/** Beyond it the oldest is forgotten and may be noted twice in its minute. */
const MAX_KEYS = 50_000;
const MAX_PER_WRITE = 500;

/** Which keys were used, gathered in memory and written off the request path. */
export class KeyUsage implements OnModuleInit, BeforeApplicationShutdown {
  private readonly notedAt = new Map<string, number>();
  private readonly unwritten = new Set<string>();
  private readonly now: () => number;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;

  constructor(private readonly options: KeyUsageOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Called on every request: a map look-up, no more. */
  touch(keyId: string): void {
    const now = this.now();
    if (now - (this.notedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    this.notedAt.delete(keyId);
    this.notedAt.set(keyId, now);
    if (this.notedAt.size > MAX_KEYS) this.forgetOldest();
    this.unwritten.add(keyId);
  }

  /** Begins to write every few seconds. */
  onModuleInit(): void {
    this.timer ??= setInterval(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  /** Ends the timer and writes what is left; the last requests may go unnoted. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.writing;
    await this.flush();
  }

  /** Writes a bounded number of notes. Never rejects; does nothing while an earlier write still runs. */
  async flush(): Promise<void> {
    if (this.writing !== null || this.unwritten.size === 0) return;
    const batch = [...this.unwritten].slice(0, MAX_PER_WRITE);
    for (const keyId of batch) this.unwritten.delete(keyId);
    this.writing = this.options.write(batch).catch(this.options.onError);
    await this.writing;
    this.writing = null;
  }

  private forgetOldest(): void {
    const [oldest] = this.notedAt.keys();
    if (oldest !== undefined) this.notedAt.delete(oldest);
  }
}
