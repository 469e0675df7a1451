import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { CheckCompletion, Leases, LeaseState, AcquireAnswer, AcquireRequest } from './leases.js';

export interface WatchedLeasesOptions {
  /** Called when the store fails (with the error) and when it is back (null), once each. */
  readonly onChange: (error: unknown) => void;
  /** How long a failed store is not asked again. */
  readonly retryMs: number;
  /** Monotonic milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * Hides the errors of a lease store: its loss fails no check (decisions 6.9). While it is down, one request at a time
 * tries it, `retryMs` after the last, so that a hanging request does not hold up every check.
 */
export class WatchedLeases {
  private failing = false;
  private trying = false;
  private retryAtMs = 0;
  private readonly now: () => number;

  constructor(
    private readonly leases: Leases,
    private readonly options: WatchedLeasesOptions,
  ) {
    this.now = options.now ?? ((): number => performance.now());
  }

  get isShared(): boolean {
    return !this.failing;
  }

  /** Null: the store is down. */
  async acquire(request: AcquireRequest): Promise<AcquireAnswer | null> {
    if (!this.mayAsk()) return null;
    return this.watched(this.leases.acquire(request));
  }

  async renew(hash: string, token: string, stage: SmtpStage | null): Promise<void> {
    if (this.mayAsk()) await this.watched(this.leases.renew(hash, token, stage));
  }

  /** Null: the holder has asked no mail host, there is no holder, or the store is down. */
  async stageOf(hash: string): Promise<SmtpStage | null> {
    return this.mayAsk() ? this.watched(this.leases.stageOf(hash)) : null;
  }

  /** Also sent to a store that is down, in case it is back, but not awaited then. Null: the store is down. */
  async complete(completion: CheckCompletion): Promise<LeaseState | null> {
    const { failing } = this;
    const told = this.watched(this.leases.complete(completion));
    return failing ? null : told;
  }

  private mayAsk(): boolean {
    if (!this.failing) return true;
    if (this.trying || this.now() < this.retryAtMs) return false;
    this.trying = true;
    return true;
  }

  private async watched<T>(request: Promise<T>): Promise<T | null> {
    try {
      const answer = await request;
      this.noteWell();
      return answer;
    } catch (error) {
      this.noteFailure(error);
      return null;
    } finally {
      this.trying = false;
    }
  }

  private noteFailure(error: unknown): void {
    this.retryAtMs = this.now() + this.options.retryMs;
    if (this.failing) return;
    this.failing = true;
    this.options.onChange(error);
  }

  private noteWell(): void {
    if (!this.failing) return;
    this.failing = false;
    this.options.onChange(null);
  }
}
