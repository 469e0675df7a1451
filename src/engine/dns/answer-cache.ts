interface Entry<Value> {
  readonly value: Value;
  readonly octets: number;
  readonly expiresAt: number;
}

/** Average octets of an answer the cache has room for: big answers push out more of the others. */
const OCTETS_PER_ENTRY = 512;
/** An answer over this is not worth its place. */
const MAX_OCTETS = 16_384;

/**
 * Answers until their TTL is over, bounded in number and in octets. Two generations: what is used while the young one
 * fills up moves into it, and the rest goes when it is full and takes the old one's place. So what was used lately
 * stays, and nothing is moved for a hit. (Keeping strict order in one Map, by taking entries out and in again, costs over
 * 100 µs a hit in a full one: V8 leaves the removed ones in the buckets.)
 *
 * `now` gives milliseconds that never go back.
 */
export class AnswerCache<Value extends { readonly ttlSeconds: number }> {
  private young = new Map<string, Entry<Value>>();
  private old = new Map<string, Entry<Value>>();
  private youngOctets = 0;
  private readonly maxPerGeneration: number;

  /** Rounded up to an even number of entries; 0 keeps none. */
  constructor(
    maxEntries: number,
    private readonly now: () => number,
  ) {
    this.maxPerGeneration = Math.ceil(maxEntries / 2);
  }

  /** The value with the seconds it has left, or undefined. */
  get(key: string): Value | undefined {
    const entry = this.young.get(key) ?? this.old.get(key);
    if (entry === undefined) return undefined;
    const leftMs = entry.expiresAt - this.now();
    if (leftMs <= 0) return undefined;
    if (!this.young.has(key)) this.keep(key, entry);
    const ttlSeconds = Math.ceil(leftMs / 1_000);
    return ttlSeconds === entry.value.ttlSeconds ? entry.value : { ...entry.value, ttlSeconds };
  }

  /** `octets`: size of the message the value was read from. A TTL of zero is not kept (RFC 1035 3.2.1). */
  set(key: string, value: Value, octets: number): void {
    if (value.ttlSeconds <= 0 || octets > MAX_OCTETS || this.maxPerGeneration === 0) return;
    this.keep(key, { value, octets, expiresAt: this.now() + value.ttlSeconds * 1_000 });
  }

  /** Entries held, expired ones included. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  clear(): void {
    this.young = new Map();
    this.old = new Map();
    this.youngOctets = 0;
  }

  private keep(key: string, entry: Entry<Value>): void {
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
