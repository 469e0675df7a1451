import { Deadline } from '../../engine/deadline.js';
import type { Resolver } from '../../engine/dns/resolver.js';

/** The resolver rarely changes. */
const VALIDATES_MS = 600_000;
const DOES_NOT_MS = 60_000;
const ASK_MS = 5000;

/**
 * Whether our resolver validates DNSSEC (decisions 8.2): the root is signed, so if an answer about it has no AD bit,
 * the resolver does not validate, and `dnssec` is unknown for every domain. Cached for a while.
 */
export class ResolverValidation {
  private latest: Promise<boolean | null> | null = null;
  private goodUntil = Number.NEGATIVE_INFINITY;
  private known: boolean | null = null;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly resolver: Resolver,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The last result; null: unknown. */
  get last(): boolean | null {
    return this.known;
  }

  /** Never rejects. null: unknown, because the resolver did not answer. */
  validates(): Promise<boolean | null> {
    if (this.latest === null || this.now() >= this.goodUntil) {
      this.goodUntil = Number.POSITIVE_INFINITY;
      this.latest = this.ask();
    }
    return this.latest;
  }

  private async ask(): Promise<boolean | null> {
    const deadline = Deadline.after(ASK_MS);
    const answer = await this.resolver.query('.', 'SOA', { deadline });
    deadline.release();
    this.known = answer.kind === 'failure' ? null : answer.authenticated;
    // Do not cache an unknown result: the next caller asks again.
    this.goodUntil = this.now() + (this.known === null ? 0 : this.known ? VALIDATES_MS : DOES_NOT_MS);
    return this.known;
  }
}
