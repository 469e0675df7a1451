import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { DailyAmounts } from '../../platform/redis/daily-amounts.js';

/** Each is a row that stays for 30 days. */
const TESTS_A_DAY = 100;

/** The counter's name, by account. */
export function dailyTestsName(accountId: string): string {
  return `webhook-tests:${accountId}`;
}

/** Limits the test events that the members of an account may have sent per day. */
@Injectable()
export class DailyTests {
  constructor(private readonly amounts: DailyAmounts) {}

  /** Counts a test before it is stored. @throws AppError `quota_exceeded` */
  async count(accountId: string): Promise<void> {
    const retryAfterSeconds = await this.amounts.add(dailyTestsName(accountId), 1, TESTS_A_DAY);
    if (retryAfterSeconds === null) return;
    throw new AppError('quota_exceeded', `An account may have at most ${TESTS_A_DAY} tests sent a day; retry later.`, {
      retryAfterSeconds,
    });
  }
}
