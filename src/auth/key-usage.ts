import { Injectable, Logger, Optional } from '@nestjs/common';
import { RecentMap } from '../platform/caching/recent-map.js';
import { PeriodicTask } from '../platform/scheduling/periodic-task.js';
import { KeyLookupRepository } from './key-lookup.repository.js';

/** `last_used_at` is coarse (decisions 2.1): each process records each key once a minute. */
const NOTE_EVERY_MS = 60_000;
const WRITE_EVERY_MS = 5000;
/** Beyond this the oldest key is dropped, and may be recorded twice in its minute. */
const MAX_KEYS = 50_000;
const MAX_PER_WRITE = 500;

/**
 * Collects the keys that were used, and writes their time of use in the background. A lost time of use does no harm: the
 * key's next minute writes one.
 */
@Injectable()
export class KeyUsage extends PeriodicTask {
  protected readonly logger = new Logger('Auth');
  protected readonly failureMessage = 'the last use of keys could not be recorded';
  private readonly notedAt = new RecentMap<number>(MAX_KEYS);
  private readonly unwritten = new Set<string>();

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly keys: KeyLookupRepository,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {
    super(WRITE_EVERY_MS);
  }

  /** Every request calls this: it is one map look-up. */
  touch(keyId: string): void {
    const now = this.now();
    if (now - (this.notedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    this.notedAt.set(keyId, now);
    this.unwritten.add(keyId);
  }

  /** Writes what is left. The use of the last requests may be lost. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.begin();
  }

  /** Writes a bounded number of keys. */
  protected override async runOnce(): Promise<void> {
    const batch = [...this.unwritten].slice(0, MAX_PER_WRITE);
    for (const keyId of batch) this.unwritten.delete(keyId);
    if (batch.length > 0) await this.keys.noteUse(batch);
  }
}
