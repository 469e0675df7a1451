import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { DailyAmounts } from '../../platform/redis/daily-amounts.js';

/** Events per day for each remote decision per month: guards decide mostly by themselves. */
const EVENTS_PER_DECISION = 10;
/** Minimum for every plan. */
const LEAST_EVENTS = 10_000;

/** The counter's name, by account and mode. */
export function dailyEventsName(accountId: string, mode: Caller['mode']): string {
  return `events:${mode}:${accountId}`;
}

/** Limits the events that an account may store per day: they are free and stored for more than a year. */
@Injectable()
export class DailyEvents {
  constructor(private readonly amounts: DailyAmounts) {}

  /** Counts events before they are stored. @throws AppError `quota_exceeded` */
  async count({ accountId, mode, plan }: Caller, events: number): Promise<void> {
    const { guardDecisionsPerMonth } = plan;
    if (guardDecisionsPerMonth === null) return;
    const limit = Math.max(LEAST_EVENTS, guardDecisionsPerMonth * EVENTS_PER_DECISION);
    const retryAfterSeconds = await this.amounts.add(dailyEventsName(accountId, mode), events, limit);
    if (retryAfterSeconds === null) return;
    throw new AppError('quota_exceeded', `The plan takes at most ${limit} guard events a day; retry later.`, {
      retryAfterSeconds,
    });
  }
}
