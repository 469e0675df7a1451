import { Logger } from '@nestjs/common';
import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import type { PermitRequest, ThrottleStore, ThrottleAnswer, ThrottleKeys } from './throttle-store.js';
import type { LocalThrottleStore } from './local-throttle-store.js';

/** After a failure the shared store is not asked for this long: a store that hangs must not delay every check. */
const RETRY_MS = 2000;

/** Uses the shared store, or the process's own store while the shared one fails (decisions 6.9). Never rejects. */
export class FailoverThrottleStore implements ThrottleStore {
  private readonly logger = new Logger('Politeness');
  private failing = false;
  private retryAtMs = 0;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly shared: ThrottleStore,
    private readonly local: LocalThrottleStore,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get isShared(): boolean {
    return !this.failing;
  }

  async acquire(request: PermitRequest): Promise<ThrottleAnswer> {
    if (this.failing && this.now() < this.retryAtMs) return this.local.acquire(request);
    try {
      const answer = await this.shared.acquire(request);
      this.noteWell();
      if (answer.kind !== 'granted') return answer;
      return { kind: 'granted', release: (outcome) => this.release(answer, request.keys, outcome) };
    } catch (error) {
      this.noteFailure(error);
      return this.local.acquire(request);
    }
  }

  private async release(
    answer: ThrottleAnswer & { kind: 'granted' },
    keys: ThrottleKeys,
    outcome: SessionsOutcome,
  ): Promise<void> {
    try {
      await answer.release(outcome);
    } catch (error) {
      this.noteFailure(error);
      this.local.record(keys, outcome);
    }
  }

  private noteFailure(error: unknown): void {
    this.retryAtMs = this.now() + RETRY_MS;
    if (this.failing) return;
    this.failing = true;
    this.logger.warn({ err: error }, 'Redis does not keep the limits for mail hosts: each process applies its own');
  }

  private noteWell(): void {
    if (!this.failing) return;
    this.failing = false;
    this.logger.log('limits for mail hosts are shared by all processes again');
  }
}
