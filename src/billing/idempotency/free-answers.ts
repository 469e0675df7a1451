import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { DailyAmounts } from '../../platform/redis/daily-amounts.js';

/** Bytes of free answers per day, for each address the plan keeps in jobs: about the size of a result. */
const OCTETS_PER_ADDRESS = 1024;

/** Key of the account's daily count of free answers. */
export function freeAnswersName(accountId: string, mode: Caller['mode']): string {
  return `answers:${mode}:${accountId}`;
}

/**
 * Limits stored answers that nobody pays for: those of sandbox keys, quick checks, and lists without a valid address.
 * The price limits paid ones.
 */
@Injectable()
export class FreeAnswers {
  constructor(@Inject(DailyAmounts) private readonly amounts: Pick<DailyAmounts, 'add'>) {}

  /** Counts an answer to store. @throws AppError `quota_exceeded` */
  async count({ accountId, mode, plan }: Caller, octets: number): Promise<void> {
    if (plan.addressesKept === null) return;
    const limit = plan.addressesKept * OCTETS_PER_ADDRESS;
    const retryAfterSeconds = await this.amounts.add(freeAnswersName(accountId, mode), octets, limit);
    if (retryAfterSeconds === null) return;
    const message = `The plan keeps at most ${plan.addressesKept} KiB a day of free answers for repeats; leave out the Idempotency-Key, or retry later.`;
    throw new AppError('quota_exceeded', message, { retryAfterSeconds });
  }
}
