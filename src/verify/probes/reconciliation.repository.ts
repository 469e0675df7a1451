import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { WaitingChargesRepository } from '../../billing/pending-charges/waiting-charges.repository.js';
import { isLockConflict } from '../../platform/database/database-errors.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { Urgency } from './pending-probe.js';
import { PENDING_NOW, QUEUE_AGAIN_SECONDS } from './pending-probes.repository.js';

export interface DueProbe {
  readonly hash: string;
  readonly urgency: Urgency;
  readonly accountId: string | undefined;
}

interface DueRow {
  id: Buffer;
  address_hmac: Buffer;
  urgency: Urgency;
  account_id: Buffer | null;
}

/** Longer than a call takes from inserting its row to its charge. */
const LATE_AFTER_SECONDS = 60;
/** How long a failed probe is kept, for charges that may still come. */
const FAILED_KEPT_MINUTES = 60;

/** Queries of the reconciler, which needs nothing from Redis (decisions 6.8). Every statement may run twice at once. */
@Injectable()
export class ReconciliationRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    private readonly waiting: WaitingChargesRepository,
    @Optional() private readonly now: string = PENDING_NOW,
  ) {}

  /** Takes probes that are due and were not queued lately. Marks them as queued now. */
  async takeDue(limit: number): Promise<DueProbe[]> {
    const rows = await this.dataSource.query<DueRow[]>(
      `SELECT id, address_hmac, urgency, account_id FROM pending_probes WHERE active = 1 AND queue_at <= ${this.now}
        ORDER BY queue_at LIMIT ?`,
      [limit],
    );
    if (rows.length > 0) {
      await this.dataSource.query(
        `UPDATE pending_probes SET queue_at = ${this.now} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND WHERE id IN (?)`,
        [rows.map(({ id }) => id)],
      );
    }
    return rows.map(({ address_hmac, urgency, account_id }) => ({
      hash: address_hmac.toString('hex'),
      urgency,
      accountId: account_id === null ? undefined : idFromBytes(account_id),
    }));
  }

  /** Ids of probes that should have ended by now. */
  async overdue(limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: Buffer }[]>(
      `SELECT id FROM pending_probes WHERE active = 1 AND end_by <= ${this.now} ORDER BY end_by LIMIT ?`,
      [limit],
    );
    return rows.map(({ id }) => idFromBytes(id));
  }

  /**
   * Settles a page of charges that have waited for a while: if the probe ended before the charge was committed, refunds
   * them, or clears them if there was a verdict.
   * @returns the start of the next page; null: there is none
   */
  async settleLate(limit: number, after: string | null): Promise<string | null> {
    const ids = await this.waiting.waitedOn(this.dataSource, LATE_AFTER_SECONDS, limit, after);
    if (ids.length === 0) return null;
    const rows = await this.dataSource.query<{ id: Buffer; active: number | null }[]>(
      'SELECT id, active FROM pending_probes WHERE id IN (?)',
      [ids.map(idToBytes)],
    );
    const found = new Map(rows.map(({ id, active }) => [idFromBytes(id), active]));
    for (const id of ids) {
      if (found.get(id) === 1) continue;
      await this.settle(id, found.has(id));
    }
    return ids.length < limit ? null : (ids.at(-1) ?? null);
  }

  /** Deletes probes that failed a while ago. @returns how many */
  async deleteFailed(limit: number): Promise<number> {
    const rows = await this.dataSource.query<{ id: Buffer }[]>(
      `SELECT id FROM pending_probes WHERE ended_at <= ${this.now} - INTERVAL ${FAILED_KEPT_MINUTES} MINUTE
          AND NOT EXISTS (SELECT 1 FROM waiting_charges WHERE waits_on = pending_probes.id)
        ORDER BY ended_at LIMIT ?`,
      [limit],
    );
    if (rows.length > 0) {
      await this.dataSource.query('DELETE FROM pending_probes WHERE id IN (?)', [rows.map(({ id }) => id)]);
    }
    return rows.length;
  }

  /**
   * Settles one probe in one transaction; accounts are locked in the order of their ids. A conflict is left to the next
   * run.
   */
  private async settle(id: string, failed: boolean): Promise<void> {
    try {
      await retriedTransaction(this.dataSource, async (transaction) => {
        if (failed) await this.waiting.refundWithin(transaction, id);
        else await this.waiting.forgetWithin(transaction, id);
      });
    } catch (error) {
      if (!isLockConflict(error)) throw error;
    }
  }
}
