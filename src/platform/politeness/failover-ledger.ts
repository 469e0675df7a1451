import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import type { Claim, Ledger, LedgerAnswer, LedgerKeys } from './ledger.js';
import type { LocalLedger } from './local-ledger.js';

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
export class FailoverLedger implements Ledger {
  private failing = false;
  private retryAtMs = 0;
  private readonly now: () => number;

  constructor(
    private readonly shared: Ledger,
    private readonly local: LocalLedger,
    private readonly options: FailoverOptions,
  ) {
    this.now = options.now ?? ((): number => performance.now());
  }

  get isShared(): boolean {
    return !this.failing;
  }

  async take(claim: Claim): Promise<LedgerAnswer> {
    if (this.failing && this.now() < this.retryAtMs) return this.local.take(claim);
    try {
      const answer = await this.shared.take(claim);
      this.noteWell();
      if (answer.kind !== 'granted') return answer;
      return { kind: 'granted', giveBack: (outcome) => this.giveBack(answer, claim.keys, outcome) };
    } catch (error) {
      this.noteFailure(error);
      return this.local.take(claim);
    }
  }

  private async giveBack(
    answer: LedgerAnswer & { kind: 'granted' },
    keys: LedgerKeys,
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
