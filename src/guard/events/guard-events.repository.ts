import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import type { DataOwner } from '../../auth/caller.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { joined, statement } from '../../platform/database/statement.js';
import { idToBytes, newId } from '../../platform/ids/uuid.js';
import type { GuardEventRequest } from './guard-event.request.js';

/** An event with the id of its property; null: the account has it without a property. */
export interface AttributedEvent {
  readonly event: GuardEventRequest;
  readonly propertyId: string | null;
}

/** Long enough to compare a month with the same month of the previous year. */
export const EVENTS_KEPT_DAYS = 400;

/** Raw SQL: the inserts are on the hot path, and the deletes take many rows. */
@Injectable()
export class GuardEventsRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly now: string = NOW,
  ) {}

  /** Inserts all events or none, in one statement; none of an account that was deleted during the call. */
  async insert({ accountId, sandbox }: DataOwner, events: readonly AttributedEvent[]): Promise<void> {
    const account = idToBytes(accountId);
    const rows = events.map(
      ({ event, propertyId }) => statement`
        SELECT id, ${Number(sandbox)}, ${() => this.now}, ${idToBytes(newId())},
          ${propertyId === null ? null : idToBytes(propertyId)}, ${event.domain}, ${event.verdict}, ${event.action},
          ${event.source}, ${Number(event.degraded)}, ${JSON.stringify(event.reasons)}, ${event.integration},
          ${event.lib_version}, ${event.spec_version} FROM accounts WHERE id = ${account}`,
    );
    await statement`
      INSERT INTO guard_events (account_id, sandbox, at, id, property_id, domain, verdict, action, source, degraded,
        reasons, integration, lib_version, spec_version) ${joined(rows, ' UNION ALL ')}`.run(this.dataSource);
  }

  /**
   * Deletes events older than `EVENTS_KEPT_DAYS`, the oldest first.
   * @param limit rows of the statement
   * @returns the number of deleted rows
   */
  @PurgeEvery(10 * 60_000, 'delete-old-guard-events')
  async deleteOld(limit: number): Promise<number> {
    // Read committed locks only the rows that the statement deletes.
    return retriedTransaction(this.dataSource, async (transaction) => {
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
        DELETE FROM guard_events WHERE at < ${() => this.now} - INTERVAL ${EVENTS_KEPT_DAYS} DAY ORDER BY at
          LIMIT ${limit}`;
      return affectedRows;
    });
  }
}
