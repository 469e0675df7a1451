import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { AppConfig } from '../../platform/config/app-config.js';
import { isConnectionLost } from '../../platform/database/database-errors.js';
import type { Settlement } from '../funds.js';
import type { ChargeOutcome, KeptAnswer } from '../charging/charge.js';
import { IdempotencyRepository } from '../idempotency/idempotency.repository.js';
import { LedgerRepository, type ChargeWithin } from '../ledger/ledger.repository.js';

/** A pool connection, at READ COMMITTED. */
export type Transaction = EntityManager;

/** Rows, their charge and the stored answer: all are committed or none. */
export interface Storage {
  readonly accountId: string;
  readonly store: (transaction: Transaction) => Promise<void>;
  /** Writes the remaining rows while the account is locked. */
  readonly storeHeld: (transaction: Transaction) => Promise<void>;
  /** Null if free. */
  readonly charge: ChargeWithin | null;
  /** Null: no repeat is possible. */
  readonly answer: KeptAnswer | null;
  /** Checked just before the charge: true if the client has disconnected. */
  readonly isGone: () => boolean;
}

/** The payment; null if free. */
export type Paid = (Settlement & { readonly kind: 'paid' }) | null;

export type StorageOutcome =
  | { readonly kind: 'stored'; readonly paid: Paid }
  /** The reply to COMMIT was lost: all of it is committed, or nothing, or the commit is still to come. */
  | { readonly kind: 'unknown'; readonly paid: Paid; readonly cause: unknown }
  /** Nothing is committed. */
  | Exclude<ChargeOutcome, { kind: 'charged' }>;

/** Stores the rows of a response in the transaction of its charge. */
@Injectable()
export class StoredMeteredResponseRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerRepository,
    private readonly idempotency: IdempotencyRepository,
    private readonly config: AppConfig,
  ) {}

  /** @throws the driver's error: nothing is committed */
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
   * Charges after writing the rows, so that the account is locked only briefly, and before storing the answer: every
   * transaction that locks both takes them in this order.
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
    // A server that shuts down may report an error for a COMMIT it has carried out.
    if (isConnectionLost(cause)) return { kind: 'unknown', paid: stored.paid, cause };
    throw cause;
  }
}
