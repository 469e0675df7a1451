import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { DailyAmounts } from '../../platform/redis/daily-amounts.js';

/** Of the answers kept in a day, for each address that the plan keeps in jobs: a result is about as large. */
const OCTETS_PER_ADDRESS = 1024;

/** What a day's free answers of an account are counted under. */
export function freeAnswersName(accountId: string, mode: Caller['mode']): string {
  return `answers:${mode}:${accountId}`;
}

/**
 * Bounds the answers that are kept for repeats of an `Idempotency-Key` and that nobody pays for: those of sandbox keys, quick
 * checks, and lists of what is no address. Those that are paid for are bounded by their price.
 */
@Injectable()
export class FreeAnswers {
  constructor(@Inject(DailyAmounts) private readonly amounts: Pick<DailyAmounts, 'add'>) {}

  /** Counts an answer that is to be kept. @throws AppError `quota_exceeded` */
  async count({ accountId, mode, plan }: Caller, octets: number): Promise<void> {
    if (plan.addressesKept === null) return;
    const limit = plan.addressesKept * OCTETS_PER_ADDRESS;
    const retryAfterSeconds = await this.amounts.add(freeAnswersName(accountId, mode), octets, limit);
    if (retryAfterSeconds === null) return;
    const message = `The plan keeps at most ${plan.addressesKept} KiB a day of free answers for repeats; leave out the Idempotency-Key, or retry later.`;
    throw new AppError('quota_exceeded', message, { retryAfterSeconds });
  }
}
