interface Entry<Value> {
  readonly value: Value;
  readonly octets: number;
  readonly expiresAt: number;
}

/** Average size of an answer, in octets; sets the cache's total size. Bigger answers evict more of the others. */
const OCTETS_PER_ENTRY = 512;
/** Larger answers are not cached. */
const MAX_OCTETS = 16_384;

/**
 * Keeps answers until their TTL ends, limited by entries and octets. Uses two generations: a hit moves the entry to the
 * young one; when that is full it becomes the old one, and the previous old one is dropped. So recently used answers
 * stay. (An LRU that deletes and re-inserts into one full Map costs over 100 µs a hit, because V8 keeps deleted entries
 * in the buckets.)
 *
 * `now` returns milliseconds on a monotonic clock.
 */
export class AnswerCache<Value extends { readonly ttlSeconds: number }> {
  private young = new Map<string, Entry<Value>>();
  private old = new Map<string, Entry<Value>>();
  private youngOctets = 0;
  private readonly maxPerGeneration: number;

  /** `maxEntries` is rounded up to an even number; 0 disables the cache. */
  constructor(
    maxEntries: number,
    private readonly now: () => number,
  ) {
    this.maxPerGeneration = Math.ceil(maxEntries / 2);
  }

  /** The value with its remaining TTL, or undefined. */
  get(key: string): Value | undefined {
    const entry = this.young.get(key) ?? this.old.get(key);
    if (entry === undefined) return undefined;
    const leftMs = entry.expiresAt - this.now();
    if (leftMs <= 0) return undefined;
    if (!this.young.has(key)) this.insert(key, entry);
    const ttlSeconds = Math.ceil(leftMs / 1_000);
    return ttlSeconds === entry.value.ttlSeconds ? entry.value : { ...entry.value, ttlSeconds };
  }

  /** `octets` is the size of the DNS message. A TTL of zero is not cached (RFC 1035 3.2.1). */
  set(key: string, value: Value, octets: number): void {
    if (value.ttlSeconds <= 0 || octets > MAX_OCTETS || this.maxPerGeneration === 0) return;
    this.insert(key, { value, octets, expiresAt: this.now() + value.ttlSeconds * 1_000 });
  }

  /** Number of entries, expired ones included. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  clear(): void {
    this.young = new Map();
    this.old = new Map();
    this.youngOctets = 0;
  }

  private insert(key: string, entry: Entry<Value>): void {
    const maxOctets = this.maxPerGeneration * OCTETS_PER_ENTRY;
    if (this.young.size >= this.maxPerGeneration || this.youngOctets + entry.octets > maxOctets) {
      this.old = this.young;
      this.young = new Map();
      this.youngOctets = 0;
    }
    this.young.set(key, entry);
    this.youngOctets += entry.octets;
  }
}
