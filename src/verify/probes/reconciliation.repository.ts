import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WaitingChargesRepository } from '../../billing/pending-charges/waiting-charges.repository.js';
import { NOW } from '../../platform/database/database-now.js';
import { isLockConflict } from '../../platform/database/database-errors.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { CHARGED_WITHIN_SECONDS } from './ended-rows.repository.js';
import { LateChargesRepository } from './late-charges.repository.js';
import type { Urgency } from './pending-probe.js';
import { QUEUE_AGAIN_SECONDS } from './pending-probes.repository.js';
import type { QueuedProbe } from './smtp-probe.queue.js';

interface DueRow {
  id: Buffer;
  address_hmac: Buffer;
  urgency: Urgency;
  account_id: Buffer | null;
}

/** How long a failed probe is kept, for charges that may still come. */
const FAILED_KEPT_MINUTES = 60;

/** Queries of the reconciler, which needs nothing from Redis (decisions 6.8). Every statement may run twice at once. */
@Injectable()
export class ReconciliationRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    private readonly waiting: WaitingChargesRepository,
    private readonly late: LateChargesRepository,
    @Optional() private readonly now: string = NOW,
  ) {}

  /** Takes probes that are due and were not queued lately. Marks them as queued now. */
  async takeDue(limit: number): Promise<QueuedProbe[]> {
    const rows = await this.dataSource.sql<DueRow[]>`
      SELECT id, address_hmac, urgency, account_id FROM pending_probes WHERE active = 1
        AND queue_at <= ${() => this.now} ORDER BY queue_at LIMIT ${limit}`;
    if (rows.length > 0) {
      await this.dataSource.sql`
        UPDATE pending_probes SET queue_at = ${() => this.now} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND
          WHERE id IN (${rows.map(({ id }) => id)})`;
    }
    return rows.map(({ address_hmac, urgency, account_id }) => ({
      hash: address_hmac.toString('hex'),
      urgency,
      accountId: account_id === null ? undefined : idFromBytes(account_id),
    }));
  }

  /** Ids of probes that should have ended by now. */
  async overdue(limit: number): Promise<string[]> {
    const rows = await this.dataSource.sql<{ id: Buffer }[]>`
      SELECT id FROM pending_probes WHERE active = 1 AND end_by <= ${() => this.now} ORDER BY end_by LIMIT ${limit}`;
    return rows.map(({ id }) => idFromBytes(id));
  }

  /**
   * Settles a page of charges that have waited for a while, if the probe ended before the charge was committed and the
   * call's process did not settle them.
   * @returns the start of the next page; null: there is none
   */
  async settleLate(limit: number, after: string | null): Promise<string | null> {
    const ids = await this.waiting.waitedOn(this.dataSource, CHARGED_WITHIN_SECONDS, limit, after);
    if (ids.length === 0) return null;
    const rows = await this.dataSource.sql<{ id: Buffer }[]>`
      SELECT id FROM pending_probes WHERE id IN (${ids.map(idToBytes)}) AND active = 1`;
    const goOn = new Set(rows.map(({ id }) => idFromBytes(id)));
    for (const id of ids) if (!goOn.has(id)) await this.settle(id);
    return ids.length < limit ? null : (ids.at(-1) ?? null);
  }

  /** Deletes probes that ended a while ago, and erases their addresses earlier. @returns how many were deleted */
  async deleteEnded(limit: number): Promise<number> {
    const { now } = this;
    const isCharged = `ended_at <= ${now} - INTERVAL ${CHARGED_WITHIN_SECONDS} SECOND
      AND NOT EXISTS (SELECT 1 FROM waiting_charges WHERE waits_on = pending_probes.id)`;
    const ended = async (and: string): Promise<Buffer[]> => {
      const rows = await this.dataSource.sql<{ id: Buffer }[]>`
        SELECT id FROM pending_probes WHERE ${() => isCharged} AND ${() => and} ORDER BY ended_at LIMIT ${limit}`;
      return rows.map(({ id }) => id);
    };
    const readable = await ended("state = 'failed' AND sealed_address IS NOT NULL");
    if (readable.length > 0) {
      await this.dataSource.sql`UPDATE pending_probes SET sealed_address = NULL WHERE id IN (${readable})`;
    }
    const old = await ended(`(state <> 'failed' OR ended_at <= ${now} - INTERVAL ${FAILED_KEPT_MINUTES} MINUTE)`);
    if (old.length > 0) await this.dataSource.sql`DELETE FROM pending_probes WHERE id IN (${old})`;
    return old.length;
  }

  /** A conflict is left to the next run. */
  private async settle(id: string): Promise<void> {
    try {
      await this.late.settleOne(id);
    } catch (error) {
      if (!isLockConflict(error)) throw error;
    }
  }
}
