import { retryLostConnection } from '../../platform/database/retry-lost-connection.js';
import { stoppedWith } from '../../verify/bulk/stopped-with.js';
import type { CachedCheck } from '../../verify/cache/cached-check.js';
import type { Outcome } from './outcome.js';
import type { Findings } from './outcomes.repository.js';

export interface OutcomeBufferOptions {
  /** Stores findings in one transaction. @returns false: others have the work, or it has ended */
  readonly store: (findings: Findings) => Promise<boolean>;
  /** Number of outcomes that starts a transaction without waiting for more. */
  readonly enough: number;
  /** Aborts at shutdown: retries stop. */
  readonly stop: AbortSignal;
}

/** Maximum number of entries per transaction. */
const MOST_ENTRIES = 500;
/** Maximum time that outcomes wait for others: outcomes lost in a crash must be probed again. */
const STORED_AFTER_MS = 500;
/** Retry delays, so that outcomes survive a short database outage. */
const AGAIN_AFTER_MS = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * Buffers outcomes and stores them in batches, one transaction at a time. No `WriteBatcher`: nobody waits for an outcome, and
 * a few of them wait for more.
 */
export class OutcomeBuffer {
  private outcomes: Outcome[] = [];
  private checks: CachedCheck[] = [];
  private timer: NodeJS.Timeout | null = null;
  private storing: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;
  private readonly cut = new AbortController();
  /** Aborts at shutdown, and when outcomes are not stored: probing more addresses is then pointless. */
  readonly stopped: AbortSignal;

  constructor(private readonly options: OutcomeBufferOptions) {
    this.stopped = stoppedWith(options.stop, this.cut.signal);
  }

  add(outcome: Outcome): void {
    this.outcomes.push(...parts(outcome));
    this.goOn();
  }

  /** Adds a check to put on record that is not an outcome. */
  addCheck(check: CachedCheck): void {
    this.checks.push(check);
    this.goOn();
  }

  /** Resolves when everything is stored. @throws the database's error */
  async drain(): Promise<void> {
    this.begin();
    await this.storing;
    if (this.failure !== null) throw this.failure.error;
  }

  private goOn(): void {
    if (this.outcomes.length + this.checks.length >= this.options.enough) this.begin();
    else this.timer ??= setTimeout(() => this.begin(), STORED_AFTER_MS);
  }

  private begin(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.storing ??= this.storeAll().finally(() => {
      this.storing = null;
    });
  }

  /** Never rejects. */
  private async storeAll(): Promise<void> {
    const { store, stop } = this.options;
    while (this.failure === null && this.outcomes.length + this.checks.length > 0) {
      const findings = this.take();
      try {
        if (!(await retryLostConnection(AGAIN_AFTER_MS, () => store(findings), stop))) this.cut.abort();
      } catch (error) {
        this.failure = { error };
        this.cut.abort();
      }
    }
  }

  private take(): Findings {
    let entries = 0;
    const count = this.outcomes.findIndex((outcome) => {
      entries += outcome.positions.length;
      return entries > MOST_ENTRIES;
    });
    const outcomes = this.outcomes.splice(0, count === -1 ? this.outcomes.length : Math.max(1, count));
    return { outcomes, checks: this.checks.splice(0, MOST_ENTRIES) };
  }
}

/** Splits the outcome of an address that a job contains thousands of times, for several transactions. */
function parts(outcome: Outcome): Outcome[] {
  const { positions } = outcome;
  if (positions.length <= MOST_ENTRIES) return [outcome];
  const cut: Outcome[] = [];
  for (let from = 0; from < positions.length; from += MOST_ENTRIES) {
    cut.push({ ...outcome, positions: positions.slice(from, from + MOST_ENTRIES) });
  }
  return cut;
}
