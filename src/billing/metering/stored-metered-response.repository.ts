import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { AppConfig } from '../../platform/config/app-config.js';
import { isConnectionLost } from '../../platform/database/database-errors.js';
import type { Funds, Settlement } from '../funds.js';
import { IdempotencyRepository, type Lease, type StoredAnswer } from '../idempotency/idempotency.repository.js';
import { LedgerRepository, type ChargeWithin } from '../ledger/ledger.repository.js';

/** Of the pool, at READ COMMITTED. */
export type Transaction = EntityManager;

/** Rows, their charge and the answer that tells of them: all of it stands, or nothing. */
export interface Storage {
  readonly accountId: string;
  readonly store: (transaction: Transaction) => Promise<void>;
  /** Writes the rest of it while the account is held. */
  readonly storeHeld: (transaction: Transaction) => Promise<void>;
  /** Null: it costs nothing. */
  readonly charge: ChargeWithin | null;
  /** Null: nobody will ask for it again. */
  readonly answer: (Lease & StoredAnswer) | null;
  /** Asked just before the charge: true when nobody waits for the answer any more. */
  readonly isGone: () => boolean;
}

/** What was paid; null where it cost nothing. */
export type Paid = (Settlement & { readonly kind: 'paid' }) | null;

export type StorageOutcome =
  | { readonly kind: 'stored'; readonly paid: Paid }
  /** The answer of the COMMIT was lost: all of it stands, or nothing, or that is still to come. */
  | { readonly kind: 'unknown'; readonly paid: Paid; readonly cause: unknown }
  /** Nothing stands, in the three that follow. `shortfall`: credits that are missing. */
  | { readonly kind: 'insufficient'; readonly shortfall: number; readonly funds: Funds }
  /** The call's lease has passed to another call with the same key. */
  | { readonly kind: 'superseded' }
  /** The client was gone before. */
  | { readonly kind: 'withdrawn' };

/** Stores the rows of a response in the transaction of its charge. */
@Injectable()
export class StoredMeteredResponseRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerRepository,
    private readonly idempotency: IdempotencyRepository,
    private readonly config: AppConfig,
  ) {}

  /** @throws what the driver throws: nothing stands */
  async commit(storage: Storage): Promise<StorageOutcome> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction('READ COMMITTED');
      const outcome = await this.write(runner.manager, storage);
      if (outcome.kind === 'stored') return await commit(runner, outcome);
      await runner.rollbackTransaction();
      return outcome;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }

  /**
   * The charge comes after the rows, so that its account is held for a moment only, and before the answer: whoever takes
   * both takes them in this order.
   */
  private async write(
    transaction: Transaction,
    { accountId, store, storeHeld, charge, answer, isGone }: Storage,
  ): Promise<Exclude<StorageOutcome, { kind: 'unknown' }>> {
    await store(transaction);
    if (isGone()) return { kind: 'withdrawn' };
    const { ledger, idempotency } = this;
    const { answerHours } = this.config.billing;
    await ledger.holdWithin(transaction, accountId);
    await storeHeld(transaction);
    const settlement = charge && (await ledger.chargeWithin(transaction, charge));
    if (settlement?.kind === 'insufficient') return settlement;
    const kept = answer === null || (await idempotency.keepWithin(transaction, answer, answer, answerHours));
    return kept ? { kind: 'stored', paid: settlement } : { kind: 'superseded' };
  }
}

async function commit(
  runner: QueryRunner,
  stored: StorageOutcome & { readonly kind: 'stored' },
): Promise<StorageOutcome> {
  try {
    await runner.commitTransaction();
    return stored;
  } catch (cause) {
    // A server that goes away may refuse a COMMIT it has carried out.
    if (isConnectionLost(cause)) return { kind: 'unknown', paid: stored.paid, cause };
    throw cause;
  }
}
