import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { CheckCompletion, Leases, LeaseState, AcquireAnswer, AcquireRequest } from './leases.js';

export interface WatchedLeasesOptions {
  /** Called when the book is lost (with the error) and when it is back (null), once each. */
  readonly onChange: (error: unknown) => void;
  /** How long a book that failed is left alone. */
  readonly retryMs: number;
  /** Milliseconds that never go back; for tests. */
  readonly now?: () => number;
}

/**
 * A book that may be lost, without its errors: no check fails for want of it (decisions 6.9). While it is lost one request
 * at a time asks it, `retryMs` after the one before: one that hangs must not hold up every check.
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

  /** Null: the book is lost. */
  async acquire(request: AcquireRequest): Promise<AcquireAnswer | null> {
    if (!this.mayAsk()) return null;
    return this.watched(this.leases.acquire(request));
  }

  async renew(hash: string, token: string, stage: SmtpStage | null): Promise<void> {
    if (this.mayAsk()) await this.watched(this.leases.renew(hash, token, stage));
  }

  /** Null: the holder had asked nobody, there is none, or the book is lost. */
  async stageOf(hash: string): Promise<SmtpStage | null> {
    return this.mayAsk() ? this.watched(this.leases.stageOf(hash)) : null;
  }

  /** Told to a lost book too, which may be back, but not waited for then. Null: the book is lost. */
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
