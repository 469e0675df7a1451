interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly expiresAt: number;
}

/** Average octets of an answer the cache has room for: big answers push out more of the others. */
const OCTETS_PER_ENTRY = 512;
/** An answer over this is not worth its place. */
const MAX_OCTETS = 16_384;

/**
 * Answers until their TTL is over, bounded in number and in octets; the least recently used go first.
 * `now` gives milliseconds that never go back.
 */
export class AnswerCache<Value extends { readonly ttlSeconds: number }> {
  private readonly entries = new Map<string, Entry<Value>>();
  private octets = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly now: () => number,
  ) {}

  /** The value with the seconds it has left, or undefined. */
  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    const leftMs = entry.expiresAt - this.now();
    if (leftMs <= 0) {
      this.remove(key, entry);
      return undefined;
    }
    // A Map keeps the order of insertion: what is used moves to the end.
    this.entries.delete(key);
    this.entries.set(key, entry);
    const ttlSeconds = Math.ceil(leftMs / 1_000);
    return ttlSeconds === entry.value.ttlSeconds ? entry.value : { ...entry.value, ttlSeconds };
  }

  /** `octets`: size of the message the value was read from. A TTL of zero is not kept (RFC 1035 3.2.1). */
  set(key: string, value: Value, octets: number): void {
    const old = this.entries.get(key);
    if (old !== undefined) this.remove(key, old);
    if (value.ttlSeconds <= 0 || octets > MAX_OCTETS || this.maxEntries === 0) return;
    this.entries.set(key, { value, weight: octets, expiresAt: this.now() + value.ttlSeconds * 1_000 });
    this.octets += octets;
    for (const [oldestKey, oldest] of this.entries) {
      if (this.entries.size <= this.maxEntries && this.octets <= this.maxEntries * OCTETS_PER_ENTRY) break;
      this.remove(oldestKey, oldest);
    }
  }

  get size(): number {
    return this.entries.size;
  }

  clear(): void {
    this.entries.clear();
    this.octets = 0;
  }

  private remove(key: string, entry: Entry<Value>): void {
    this.entries.delete(key);
    this.octets -= entry.weight;
  }
}
