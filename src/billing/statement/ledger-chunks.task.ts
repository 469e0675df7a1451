import { Injectable } from '@nestjs/common';
import { MaintenanceEvery } from '../../platform/queues/maintenance-every.js';
import { LedgerChunksRepository } from './ledger-chunks.repository.js';

const ACCOUNTS = 200;
/** The other tasks of the queue wait for this one. */
const MAX_RUN_MS = 10_000;

/** Sums up new ledger rows, so that the console reads a long ledger as fast as a short one. */
@Injectable()
export class LedgerChunksTask {
  /** The account at which the last run was out of time. */
  private next: string | null = null;

  constructor(private readonly chunks: LedgerChunksRepository) {}

  @MaintenanceEvery(60_000, 'sum-up-ledger')
  async run(signal: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    for (;;) {
      const accounts = await this.chunks.accounts(this.next, ACCOUNTS);
      for (const account of accounts) {
        while (await this.chunks.advance(account)) {
          if (signal.aborted || performance.now() > until) return;
        }
        if (signal.aborted || performance.now() > until) return;
        this.next = account;
      }
      if (accounts.length < ACCOUNTS) {
        this.next = null;
        return;
      }
    }
  }
}
