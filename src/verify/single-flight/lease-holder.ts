import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { CheckDepth } from './join-outcome.js';
import type { LeaseState } from './leases.js';
import type { WatchedLeases } from './watched-leases.js';

export interface LeaseHolderTimes {
  /** How often a lease is renewed, and others told how far its holder has come: several times within its life. */
  readonly renewMs: number;
  /** A holder that has not landed after so long never will: longer than any check. */
  readonly longestHoldMs: number;
}

/** One holder of an address: keeps its lease, or takes it when Redis is back, until it ends. */
export class LeaseHolder {
  private readonly renewal: NodeJS.Timeout;
  private over = false;
  private reached: SmtpStage | null = null;

  /** @param onEnd called once, with what was landed (false for a holder that never did) and the book's answer */
  constructor(
    readonly depth: CheckDepth,
    private readonly lease: { readonly hash: string; readonly token: string; readonly leases: WatchedLeases },
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

  /** How far the check has come; null: no mail host was asked yet. */
  get stage(): SmtpStage | null {
    return this.reached;
  }

  /** Others are told with the next renewal, so that a check that ends before costs nothing more. */
  reach(stage: SmtpStage): void {
    this.reached = stage;
  }

  /** Only the first call does anything. */
  async end(stored: boolean): Promise<void> {
    if (this.over) return;
    this.over = true;
    this.stop();
    const { hash, token, leases } = this.lease;
    // Sent before others of this process ask, and so done by then.
    const told = leases.complete({ hash, token, depth: this.depth, stored });
    this.onEnd(stored, told);
    await told;
  }

  /** Renews no more: the lease ends by itself, or when it is landed. */
  stop(): void {
    clearInterval(this.renewal);
  }
}
