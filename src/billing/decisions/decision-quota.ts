import { Inject, Injectable, Logger } from '@nestjs/common';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import type { Month } from '../month.js';
import { DecisionCountsRepository } from './decision-counts.repository.js';

/** Whose remote decisions are counted, and how many there may be in the month. */
export interface DecisionAllowance {
  readonly accountId: string;
  readonly month: Month;
  /** Of the account's plan; null: unlimited. */
  readonly perMonth: number | null;
}

/** More than this waiting means the database is not keeping up: better refused now than served too late. */
const MAX_WAITING = 5000;
const READ_DEADLINE_MS = 1000;

interface Waiting {
  readonly resolve: (isCounted: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts remote decisions against the plan's monthly quota (decisions 9.3), never one too many, whatever other processes
 * do. A call alone costs one statement; while it is under way, those that come of the same account go into the next.
 */
@Injectable()
export class DecisionQuota {
  private readonly logger = new Logger('Billing');
  /** By account, month and quota: those that wait while a statement of theirs is under way. */
  private readonly waiting = new Map<string, Waiting[]>();
  private waitingCalls = 0;

  constructor(
    @Inject(DecisionCountsRepository)
    private readonly counts: Pick<DecisionCountsRepository, 'take' | 'giveBack' | 'used'>,
  ) {}

  /**
   * Counts one decision, durably when this resolves.
   * @returns false when the quota is used up
   * @throws AppError `service_unavailable`, or what the database does: then one may be counted that nobody was given
   */
  take(allowance: DecisionAllowance): Promise<boolean> {
    if (this.waitingCalls >= MAX_WAITING) return Promise.reject(serviceUnavailable(new Error('too many are counted')));
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
   * How many were counted in a month.
   * @throws AppError `service_unavailable`
   */
  async used(accountId: string, month: Month): Promise<number> {
    try {
      return await withinDeadline(this.counts.used(accountId, month), READ_DEADLINE_MS);
    } catch (error) {
      throw serviceUnavailable(error);
    }
  }

  /** In the background: takes back what was counted for a call that came to nothing, by a fault that was not its caller's. */
  giveBack({ accountId, month }: DecisionAllowance): void {
    this.counts.giveBack(accountId, month).catch((err: unknown) => {
      this.logger.error({ err }, 'a remote decision that came to nothing stays counted');
    });
  }

  /** Never rejects. */
  private async count({ accountId, month, perMonth }: DecisionAllowance, key: string): Promise<void> {
    // Whoever comes in this turn of the event loop goes along.
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

  /** Those that wait; with none the key is done with. */
  private next(key: string): Waiting[] {
    const calls = this.waiting.get(key) ?? [];
    if (calls.length === 0) this.waiting.delete(key);
    else this.waiting.set(key, []);
    this.waitingCalls -= calls.length;
    return calls;
  }
}
