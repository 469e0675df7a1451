import { RecentMap } from './recent-map.js';

/**
 * A map whose values expire at a time of the caller's monotonic clock. Beyond `capacity` it evicts the oldest value.
 */
export class ExpiringMap<Value> {
  private readonly entries: RecentMap<{ readonly value: Value; readonly until: number }>;

  constructor(capacity: number) {
    this.entries = new RecentMap(capacity);
  }

  /** The value, or undefined if there is none or it has expired. */
  get(key: string, now: number): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (now < entry.until) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  set(key: string, value: Value, until: number): void {
    this.entries.set(key, { value, until });
  }

  get size(): number {
    return this.entries.size;
  }
}
