import { Inject, Injectable } from '@nestjs/common';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import type { Funds } from '../funds.js';
import { FundsRepository } from './funds.repository.js';

/** An account's funds at one moment. */
export interface FundsReading {
  readonly funds: Funds;
  /** Time of the read or earlier, on the process's monotonic clock: excludes charges that ended later. */
  readonly asOf: number;
}

const MAX_BATCH = 256;
const MAX_WAITING = 5000;
/** Covers the wait and the read. */
const DEADLINE_MS = 1000;

interface Waiting {
  readonly accountId: string;
  readonly since: number;
  readonly result: Promise<FundsReading>;
  readonly resolve: (reading: FundsReading) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads balances in batches: one query runs at a time, and the next one serves all calls that arrive meanwhile. No
 * cache: every call gets a balance read after it asked.
 */
@Injectable()
export class FundsReader {
  private waiting = new Map<string, Waiting>();
  private reading = false;

  constructor(@Inject(FundsRepository) private readonly balances: Pick<FundsRepository, 'read'>) {}

  /** @throws AppError `service_unavailable` if the database does not reply in time */
  read(accountId: string): Promise<FundsReading> {
    const asked = this.waiting.get(accountId);
    if (asked !== undefined) return asked.result;
    if (this.waiting.size >= MAX_WAITING)
      return Promise.reject(serviceUnavailable(new Error('too many balance reads are waiting')));
    const waiting = promised(accountId);
    this.waiting.set(accountId, waiting);
    if (!this.reading) void this.readAllWaiting();
    return waiting.result;
  }

  private async readAllWaiting(): Promise<void> {
    this.reading = true;
    // Let calls of the same turn of the event loop join the batch.
    await Promise.resolve();
    while (this.waiting.size > 0) await this.readBatch(this.take());
    this.reading = false;
  }

  private take(): Waiting[] {
    const batch: Waiting[] = [];
    for (const [accountId, waiting] of this.waiting) {
      if (batch.length === MAX_BATCH) break;
      this.waiting.delete(accountId);
      if (performance.now() - waiting.since > DEADLINE_MS)
        waiting.reject(serviceUnavailable(new Error('waited too long')));
      else batch.push(waiting);
    }
    return batch;
  }

  /** Settles the batch. On failure also rejects all waiting calls: theirs would fail too. Never rejects. */
  private async readBatch(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    const asOf = performance.now();
    try {
      const found = await withinDeadline(this.balances.read(batch.map(({ accountId }) => accountId)), DEADLINE_MS);
      for (const { accountId, resolve, reject } of batch) {
        const funds = found.get(accountId);
        if (funds === undefined) reject(new Error('the balance was not read'));
        else resolve({ funds, asOf });
      }
    } catch (error) {
      for (const { reject } of [...batch, ...this.waiting.values()]) reject(serviceUnavailable(error));
      this.waiting.clear();
    }
  }
}

function promised(accountId: string): Waiting {
  let resolve!: Waiting['resolve'];
  let reject!: Waiting['reject'];
  const result = new Promise<FundsReading>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { accountId, since: performance.now(), result, resolve, reject };
}
