import { Inject, Injectable } from '@nestjs/common';
import { ReadBatcher } from '../../platform/batching/read-batcher.js';
import type { Funds } from '../funds.js';
import { FundsRepository } from './funds.repository.js';

/** An account's funds at one moment. */
export interface FundsReading {
  readonly funds: Funds;
  /** Time of the read or earlier, on the process's monotonic clock: excludes charges that ended later. */
  readonly asOf: number;
}

/** Reads balances for requests: in batches, without a cache, so that every call gets a balance read after it asked. */
@Injectable()
export class FundsReader {
  private readonly readings: ReadBatcher<FundsReading>;

  constructor(@Inject(FundsRepository) balances: Pick<FundsRepository, 'read'>) {
    this.readings = new ReadBatcher(async (accountIds) => {
      const asOf = performance.now();
      const found = await balances.read(accountIds);
      return new Map([...found].map(([accountId, funds]) => [accountId, { funds, asOf }]));
    });
  }

  /**
   * @returns undefined only if the account is gone
   * @throws AppError `service_unavailable` if the database does not reply in time
   */
  read(accountId: string): Promise<FundsReading | undefined> {
    return this.readings.readOne(accountId);
  }
}
