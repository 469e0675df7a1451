import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceEvery } from '../../platform/queues/maintenance-every.js';
import { LedgerClosingRepository } from './ledger-closing.repository.js';

const BATCH = 200;

/** Closes the past month of every account, once (decisions 4.5). */
@Injectable()
export class LedgerClosingTask {
  constructor(
    @Inject(LedgerClosingRepository)
    private readonly closings: Pick<LedgerClosingRepository, 'lastMonth' | 'unclosed' | 'close'>,
  ) {}

  @MaintenanceEvery(60 * 60_000, 'close-ledger-months')
  async run(signal: AbortSignal): Promise<void> {
    const month = await this.closings.lastMonth();
    for (;;) {
      const accounts = await this.closings.unclosed(month, BATCH);
      for (const account of accounts) {
        if (signal.aborted) return;
        await this.closings.close(account, month);
      }
      if (accounts.length < BATCH) return;
    }
  }
}
