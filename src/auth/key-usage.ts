import { Injectable, Logger, Optional, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { KeyLookupRepository } from './key-lookup.repository.js';

/** `last_used_at` is coarse (decisions 2.1): each process records each key once a minute. */
const NOTE_EVERY_MS = 60_000;
const WRITE_EVERY_MS = 5000;
/** Beyond this the oldest key is dropped, and may be recorded twice in its minute. */
const MAX_KEYS = 50_000;
const MAX_PER_WRITE = 500;

/** Collects the keys that were used, and writes their time of use in the background. */
@Injectable()
export class KeyUsage implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Auth');
  private readonly notedAt = new Map<string, number>();
  private readonly unwritten = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly keys: KeyLookupRepository,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {}

  /** Every request calls this: it is one map look-up. */
  touch(keyId: string): void {
    const now = this.now();
    if (now - (this.notedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    this.notedAt.delete(keyId);
    this.notedAt.set(keyId, now);
    if (this.notedAt.size > MAX_KEYS) this.forgetOldest();
    this.unwritten.add(keyId);
  }

  /** Starts to write every few seconds. */
  onModuleInit(): void {
    this.timer ??= setInterval(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  /** Stops the timer and writes what is left. The use of the last requests may be lost. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.writing;
    await this.flush();
  }

  /** Writes a bounded number of keys. Does nothing while an earlier write still runs. Never rejects. */
  async flush(): Promise<void> {
    if (this.writing !== null || this.unwritten.size === 0) return;
    const batch = [...this.unwritten].slice(0, MAX_PER_WRITE);
    for (const keyId of batch) this.unwritten.delete(keyId);
    this.writing = this.write(batch);
    await this.writing;
    this.writing = null;
  }

  /** Never rejects: a lost time of use does no harm, and the key's next minute writes one. */
  private async write(keyIds: readonly string[]): Promise<void> {
    try {
      await this.keys.noteUse(keyIds);
    } catch (error) {
      this.logger.warn({ err: error }, 'the last use of keys could not be recorded');
    }
  }

  private forgetOldest(): void {
    const [oldest] = this.notedAt.keys();
    if (oldest !== undefined) this.notedAt.delete(oldest);
  }
}
