import { Injectable, Logger, Optional } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { groupBy } from '../../platform/collections/group-by.js';
import { NOW } from '../../platform/database/database-now.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import type { RefundPart } from '../ledger/refund-parts.js';
import { DELETE_BY_KEY } from './waiting-rows.repository.js';
import { statement, type Statement } from '../../platform/database/statement.js';

interface PartRow {
  reference: string;
  part: string;
  credits: number;
}

/** A charge that waits on a probe. */
export interface WaitingReference {
  readonly waits_on: Buffer;
  readonly reference: string;
}

/** Batch size. A call that repeats an address a hundred times has a hundred parts waiting on its probe. */
const CHARGES_AT_ONCE = 100;
/** A statement of so many references stays far below the size of a packet. */
const FORGOTTEN_AT_ONCE = 5000;

/**
 * Charges that wait on deferred probes (decisions 4.1). For READ COMMITTED transactions that store how one probe ended
 * and hold no balance lock yet. Charges committed meanwhile are not seen: their rows stay until a later `waitedOn`
 * finds them.
 */
@Injectable()
export class WaitingChargesRepository {
  private readonly logger = new Logger('Billing');

  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly ledger: LedgerRepository,
    @Optional() private readonly now: string = NOW,
  ) {}

  /**
   * Refunds all parts that wait on a probe that ended without a verdict. Skips parts already refunded and charges
   * refunded in full.
   * @param waitsOn id of the pending probe; one per transaction, since its accounts are locked in id order
   * @param references of the charges; by default all that wait
   * @returns the number of refunded parts
   */
  async refundWithin(transaction: EntityManager, waitsOn: string, references?: ReadonlySet<string>): Promise<number> {
    const locked = await this.ledger.lockAllWithin(transaction, await accountsWaiting(transaction, waitsOn));
    let refunded = 0;
    let last = '';
    for (;;) {
      const wanted = await partsAfter(transaction, waitsOn, last);
      if (wanted.size === 0) return refunded;
      last = [...wanted.keys()].at(-1)!;
      for (const reference of wanted.keys()) if (references?.has(reference) === false) wanted.delete(reference);
      if (wanted.size === 0) continue;
      const outcome = await this.ledger.refundLockedWithin(transaction, locked, wanted);
      refunded += outcome.parts;
      for (const reference of outcome.impossible) {
        this.logger.error(`a charge could not be refunded: ${reference}`);
      }
      for (const reference of outcome.notLocked) wanted.delete(reference);
      // Only the rows read: a charge committed meanwhile has not been refunded.
      if (wanted.size > 0) await this.forgetting([waitsOn], wanted.keys()).run(transaction);
    }
  }

  /** References of the charges that wait on a probe. */
  async referencesWithin(transaction: EntityManager, waitsOn: string): Promise<ReadonlySet<string>> {
    const rows = await this.waiting([waitsOn]).run<WaitingReference[]>(transaction);
    return new Set(rows.map(({ reference }) => reference));
  }

  /**
   * The probe ended with a verdict: charges do not wait on it any more.
   * @param references of the charges; by default all that wait
   */
  async forgetWithin(transaction: EntityManager, waitsOn: string, references?: ReadonlySet<string>): Promise<void> {
    const those = [...(references ?? (await this.referencesWithin(transaction, waitsOn)))];
    for (let from = 0; from < those.length; from += FORGOTTEN_AT_ONCE) {
      await this.forgetting([waitsOn], those.slice(from, from + FORGOTTEN_AT_ONCE)).run(transaction);
    }
  }

  /** The statement that reads `WaitingReference`s of several probes. */
  waiting(waitsOn: readonly string[]): Statement {
    return statement`SELECT DISTINCT waits_on, reference FROM waiting_charges FORCE INDEX (PRIMARY)
      WHERE waits_on IN (${waitsOn.map(idToBytes)})`;
  }

  /** The statement of `forgetWithin`, for several probes; at least one charge. */
  forgetting(waitsOn: readonly string[], references: Iterable<string>): Statement {
    return statement`${() => DELETE_BY_KEY} WHERE w.waits_on IN (${waitsOn.map(idToBytes)})
      AND w.reference IN (${[...references]})`;
  }

  /**
   * Ids, in order, of probes that charges have waited on for this long: the probe is still pending, or had ended when
   * the charge was committed.
   * @param after last id of the previous page
   */
  async waitedOn(
    database: DataSource | EntityManager,
    olderThanSeconds: number,
    limit: number,
    after: string | null = null,
  ): Promise<string[]> {
    const rows = await database.sql<{ waits_on: Buffer }[]>`SELECT DISTINCT waits_on FROM waiting_charges
      WHERE waits_on > ${after === null ? Buffer.alloc(0) : idToBytes(after)}
        AND created_at <= ${() => this.now} - INTERVAL ${olderThanSeconds} SECOND ORDER BY waits_on LIMIT ${limit}`;
    return rows.map(({ waits_on }) => idFromBytes(waits_on));
  }
}

/** Accounts whose charges wait on a probe. */
async function accountsWaiting(transaction: EntityManager, waitsOn: string): Promise<string[]> {
  const rows = await transaction.sql<{ account_id: Buffer }[]>`
    SELECT DISTINCT e.account_id FROM waiting_charges w JOIN ledger_entries e ON e.reference = w.reference
      WHERE w.waits_on = ${idToBytes(waitsOn)}`;
  return rows.map(({ account_id }) => idFromBytes(account_id));
}

/** The next charges after a reference that wait on a probe, each with all its waiting parts. */
async function partsAfter(
  transaction: EntityManager,
  waitsOn: string,
  reference: string,
): Promise<Map<string, RefundPart[]>> {
  const id = idToBytes(waitsOn);
  const rows = await transaction.sql<PartRow[]>`SELECT w.reference, w.part, w.credits FROM waiting_charges w
    JOIN (SELECT DISTINCT reference FROM waiting_charges WHERE waits_on = ${id} AND reference > ${reference}
      ORDER BY reference LIMIT ${CHARGES_AT_ONCE}) page ON page.reference = w.reference
    WHERE w.waits_on = ${id} ORDER BY w.reference`;
  return groupBy(rows, (row) => row.reference);
}
