import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import type { PermitRequest, ThrottleStore, ThrottleAnswer, ThrottleKeys } from './throttle-store.js';
import type { LocalThrottleStore } from './local-throttle-store.js';

export interface FailoverOptions {
  /** Called when the shared book is lost (with the error) and when it is back (null), once each. */
  readonly onChange: (error: unknown) => void;
  /** Milliseconds that never go back; for tests. */
  readonly now?: () => number;
}

/** How long the shared book is not asked after it failed: one that hangs must not hold up every check. */
const RETRY_MS = 2000;

/**
 * The shared book while it can be read, else one of this process alone (decisions 6.9): a check never fails for want of it.
 * Never rejects.
 */
export class FailoverThrottleStore implements ThrottleStore {
  private failing = false;
  private retryAtMs = 0;
  private readonly now: () => number;

  constructor(
    private readonly shared: ThrottleStore,
    private readonly local: LocalThrottleStore,
    private readonly options: FailoverOptions,
  ) {
    this.now = options.now ?? ((): number => performance.now());
  }

  get isShared(): boolean {
    return !this.failing;
  }

  async acquire(claim: PermitRequest): Promise<ThrottleAnswer> {
    if (this.failing && this.now() < this.retryAtMs) return this.local.acquire(claim);
    try {
      const answer = await this.shared.acquire(claim);
      this.noteWell();
      if (answer.kind !== 'granted') return answer;
      return { kind: 'granted', giveBack: (outcome) => this.giveBack(answer, claim.keys, outcome) };
    } catch (error) {
      this.noteFailure(error);
      return this.local.acquire(claim);
    }
  }

  private async giveBack(
    answer: ThrottleAnswer & { kind: 'granted' },
    keys: ThrottleKeys,
    outcome: SessionsOutcome,
  ): Promise<void> {
    try {
      await answer.giveBack(outcome);
    } catch (error) {
      this.noteFailure(error);
      this.local.record(keys, outcome);
    }
  }

  private noteFailure(error: unknown): void {
    this.retryAtMs = this.now() + RETRY_MS;
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
