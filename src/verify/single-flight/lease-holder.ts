import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { CheckDepth } from './join-outcome.js';
import type { Leases, LeaseState } from './leases.js';

export interface LeaseHolderTimes {
  /** How often the lease is renewed and the stage of its check published: several times per lease. */
  readonly renewMs: number;
  /** A holder that has not completed after so long never will: longer than any check takes. */
  readonly longestHoldMs: number;
}

/** Holds the lease of one address: renews it, or takes it again when Redis is back, until the check ends. */
export class LeaseHolder {
  private readonly renewal: NodeJS.Timeout;
  private over = false;
  private reached: SmtpStage | null = null;

  /**
   * @param onEnd called once, with whether a result was stored (false if the holder never completed) and the answer of
   *   `Leases.complete`
   */
  constructor(
    readonly depth: CheckDepth,
    private readonly lease: { readonly hash: string; readonly token: string; readonly leases: Leases },
    { renewMs, longestHoldMs }: LeaseHolderTimes,
    private readonly onEnd: (stored: boolean, told: Promise<LeaseState | null>) => void,
  ) {
    const { hash, token, leases } = lease;
    const endsAt = performance.now() + longestHoldMs;
    this.renewal = setInterval(() => {
      if (performance.now() < endsAt) void leases.renew(hash, token, this.reached);
      else void this.end(false);
    }, renewMs).unref();
  }

  /** The SMTP stage that the check has reached; null: it asked no mail host yet. */
  get stage(): SmtpStage | null {
    return this.reached;
  }

  /** Published with the next renewal, so a check that ends sooner costs no extra request. */
  reach(stage: SmtpStage): void {
    this.reached = stage;
  }

  /** Only the first call counts. */
  async end(stored: boolean): Promise<void> {
    if (this.over) return;
    this.over = true;
    this.stop();
    const { hash, token, leases } = this.lease;
    // Sent before other callers of this process acquire the lease, so Redis handles it first.
    const told = leases.complete({ hash, token, depth: this.depth, stored });
    this.onEnd(stored, told);
    await told;
  }

  /** Stops renewing: the lease expires, or ends when the check completes. */
  stop(): void {
    clearInterval(this.renewal);
  }
}
