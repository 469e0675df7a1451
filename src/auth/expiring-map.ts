/**
 * A map whose values expire at a time of the caller's monotonic clock. Beyond `capacity` it evicts the oldest value.
 */
export class ExpiringMap<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(private readonly capacity: number) {}

  /** The value, or undefined if there is none or it has expired. */
  get(key: string, now: number): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (now < entry.until) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  set(key: string, value: Value, until: number): void {
    this.entries.delete(key);
    this.entries.set(key, { value, until });
    if (this.entries.size <= this.capacity) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }

  get size(): number {
    return this.entries.size;
  }
}
