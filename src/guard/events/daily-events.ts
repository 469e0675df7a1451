import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { DailyAmounts } from '../../platform/redis/daily-amounts.js';

/** Guards decide most by themselves: so many events a day for each remote decision that the plan has a month. */
const EVENTS_PER_DECISION = 10;
/** Also of a plan that has hardly any. */
const LEAST_EVENTS = 10_000;

/** Bounds the events that an account may have stored in a day: they are free, and kept for more than a year. */
export class DailyEvents {
  constructor(private readonly amounts: Pick<DailyAmounts, 'add'>) {}

  /** Counts events that are to be stored. @throws AppError `quota_exceeded` */
  async count({ accountId, mode, plan }: Caller, events: number): Promise<void> {
    const { guardDecisionsPerMonth } = plan;
    if (guardDecisionsPerMonth === null) return;
    const limit = Math.max(LEAST_EVENTS, guardDecisionsPerMonth * EVENTS_PER_DECISION);
    const retryAfterSeconds = await this.amounts.add(`events:${mode}:${accountId}`, events, limit);
    if (retryAfterSeconds === null) return;
    throw new AppError('quota_exceeded', `The plan takes at most ${limit} guard events a day; retry later.`, {
      retryAfterSeconds,
    });
  }
}
