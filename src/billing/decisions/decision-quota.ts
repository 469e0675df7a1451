import { Inject, Injectable, Logger } from '@nestjs/common';
import { ReadBatcher } from '../../platform/batching/read-batcher.js';
import { WriteBatcher } from '../../platform/batching/write-batcher.js';
import type { Month } from '../month.js';
import { DecisionCountsRepository } from './decision-counts.repository.js';
import { ExhaustedQuotas } from './exhausted-quotas.js';

/** The account whose remote decisions are counted, and its monthly quota. */
export interface DecisionAllowance {
  readonly accountId: string;
  readonly month: Month;
  /** From the account's plan; null: unlimited. */
  readonly perMonth: number | null;
}

/** More waiting calls mean that the database cannot keep up: refuse at once rather than serve late. */
const MAX_WAITING = 5000;

/**
 * Counts remote decisions against the plan's monthly quota (decisions 9.3), never beyond it, even across processes.
 * Each call takes one statement; calls of the account that arrive while it runs share the next. Reads of all accounts share theirs.
 */
@Injectable()
export class DecisionQuota {
  private readonly logger = new Logger('Billing');
  private readonly calls = new WriteBatcher<DecisionAllowance, boolean>({
    write: (calls) => this.count(calls),
    maxWaiting: MAX_WAITING,
  });
  /** By account and month. */
  private readonly readings = new ReadBatcher<number>((keys) => this.read(keys));

  constructor(
    @Inject(DecisionCountsRepository)
    private readonly counts: Pick<DecisionCountsRepository, 'take' | 'giveBack' | 'used'>,
    @Inject(ExhaustedQuotas)
    private readonly exhausted: Pick<ExhaustedQuotas, 'note'>,
  ) {}

  /**
   * Counts one decision, durable when this resolves.
   * @returns false if the quota is used up
   * @throws AppError `service_unavailable`, or the database's error: one decision too many may then be counted
   */
  take(allowance: DecisionAllowance): Promise<boolean> {
    const { accountId, month, perMonth } = allowance;
    return this.calls.write(allowance, `${accountId} ${month} ${perMonth}`);
  }

  /**
   * The number of decisions counted in a month.
   * @throws AppError `service_unavailable`
   */
  async used(accountId: string, month: Month): Promise<number> {
    return (await this.readings.readOne(`${accountId} ${month}`)) ?? 0;
  }

  /** Uncounts a decision in the background, for a call that failed through no fault of its caller. */
  giveBack({ accountId, month }: DecisionAllowance): void {
    this.counts.giveBack(accountId, month).catch((err: unknown) => {
      this.logger.error({ err }, 'a failed remote decision stays counted');
    });
  }

  private async read(keys: readonly string[]): Promise<Map<string, number>> {
    const asked = keys.map((key) => key.split(' ') as [string, string]);
    const accountIds = new Set(asked.map(([accountId]) => accountId));
    const months = new Set(asked.map(([, month]) => Number(month)));
    const found = await this.counts.used([...accountIds], [...months]);
    return new Map(found.map(({ accountId, month, used }) => [`${accountId} ${month}`, used]));
  }

  /** Calls of one account, month and quota. If the statement fails, all of them fail: it may have counted them. */
  private async count(calls: readonly DecisionAllowance[]): Promise<boolean[]> {
    const { accountId, month, perMonth } = calls[0]!;
    const counted = await this.counts.take(accountId, month, calls.length, perMonth);
    if (counted < calls.length && perMonth !== null) this.exhausted.note(accountId, month, perMonth);
    return calls.map((_, i) => i < counted);
  }
}
