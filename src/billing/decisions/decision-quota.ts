import { Inject, Injectable, Logger } from '@nestjs/common';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import type { Month } from '../month.js';
import { DecisionCountsRepository } from './decision-counts.repository.js';

/** The account whose remote decisions are counted, and its monthly quota. */
export interface DecisionAllowance {
  readonly accountId: string;
  readonly month: Month;
  /** From the account's plan; null: unlimited. */
  readonly perMonth: number | null;
}

/** More waiting calls mean that the database cannot keep up: refuse at once rather than serve late. */
const MAX_WAITING = 5000;
const READ_DEADLINE_MS = 1000;

interface Waiting {
  readonly resolve: (isCounted: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts remote decisions against the plan's monthly quota (decisions 9.3), never beyond it, even across processes.
 * Each call takes one statement; calls of the account that arrive while it runs share the next.
 */
@Injectable()
export class DecisionQuota {
  private readonly logger = new Logger('Billing');
  /** Calls that wait for a running statement, by account, month and quota. */
  private readonly waiting = new Map<string, Waiting[]>();
  private waitingCalls = 0;

  constructor(
    @Inject(DecisionCountsRepository)
    private readonly counts: Pick<DecisionCountsRepository, 'take' | 'giveBack' | 'used'>,
  ) {}

  /**
   * Counts one decision, durable when this resolves.
   * @returns false if the quota is used up
   * @throws AppError `service_unavailable`, or the database's error: one decision too many may then be counted
   */
  take(allowance: DecisionAllowance): Promise<boolean> {
    if (this.waitingCalls >= MAX_WAITING)
      return Promise.reject(serviceUnavailable(new Error('too many decisions are being counted')));
    const { accountId, month, perMonth } = allowance;
    const key = `${accountId} ${month} ${perMonth}`;
    return new Promise((resolve, reject) => {
      const others = this.waiting.get(key);
      this.waitingCalls++;
      if (others !== undefined) {
        others.push({ resolve, reject });
        return;
      }
      const own = [{ resolve, reject }];
      this.waiting.set(key, own);
      void this.count(allowance, key);
    });
  }

  /**
   * The number of decisions counted in a month.
   * @throws AppError `service_unavailable`
   */
  async used(accountId: string, month: Month): Promise<number> {
    try {
      return await withinDeadline(this.counts.used(accountId, month), READ_DEADLINE_MS);
    } catch (error) {
      throw serviceUnavailable(error);
    }
  }

  /** Uncounts a decision in the background, for a call that failed through no fault of its caller. */
  giveBack({ accountId, month }: DecisionAllowance): void {
    this.counts.giveBack(accountId, month).catch((err: unknown) => {
      this.logger.error({ err }, 'a failed remote decision stays counted');
    });
  }

  /** Never rejects. */
  private async count({ accountId, month, perMonth }: DecisionAllowance, key: string): Promise<void> {
    // Let calls of the same turn of the event loop join the batch.
    await Promise.resolve();
    for (let calls = this.next(key); calls.length > 0; calls = this.next(key)) {
      try {
        const counted = await this.counts.take(accountId, month, calls.length, perMonth);
        calls.forEach(({ resolve }, i) => resolve(i < counted));
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
  }

  /** Returns the waiting calls; deletes the key if there are none. */
  private next(key: string): Waiting[] {
    const calls = this.waiting.get(key) ?? [];
    if (calls.length === 0) this.waiting.delete(key);
    else this.waiting.set(key, []);
    this.waitingCalls -= calls.length;
    return calls;
  }
}
