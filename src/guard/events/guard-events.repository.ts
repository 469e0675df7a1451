import type { DataSource } from 'typeorm';
import { idToBytes, newId } from '../../platform/ids/uuid.js';
import type { GuardEvent } from './guard-event.js';

/** Whose events they are. */
export interface EventOwner {
  readonly accountId: string;
  readonly sandbox: boolean;
}

/** An event and the id of the property that it is attributed to; null: the account alone. */
export interface AttributedEvent {
  readonly event: GuardEvent;
  readonly propertyId: string | null;
}

const NOW = 'UTC_TIMESTAMP(3)';

export class GuardEventsRepository {
  /** @param now SQL for the moment it is, UTC */
  constructor(
    private readonly dataSource: DataSource,
    private readonly now: string = NOW,
  ) {}

  /** All of them or none, in one statement. */
  async insert({ accountId, sandbox }: EventOwner, events: readonly AttributedEvent[]): Promise<void> {
    const account = idToBytes(accountId);
    const row = `(?, ?, ${this.now}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    await this.dataSource.query(
      `INSERT INTO guard_events (account_id, sandbox, at, id, property_id, domain, verdict, action, source, degraded,
        reasons, integration, lib_version, spec_version) VALUES ${events.map(() => row).join(', ')}`,
      events.flatMap(({ event, propertyId }) => [
        account,
        Number(sandbox),
        idToBytes(newId()),
        propertyId === null ? null : idToBytes(propertyId),
        event.domain,
        event.verdict,
        event.action,
        event.source,
        Number(event.degraded),
        JSON.stringify(event.reasons),
        event.integration,
        event.libVersion,
        event.specVersion,
      ]),
    );
  }

  /**
   * Deletes events that came so many days ago, the oldest first.
   * @param limit rows of the statement
   * @returns how many it were
   */
  async deleteOlderThan(days: number, limit: number): Promise<number> {
    // Read committed: only the rows that go are locked, and nobody writes among those.
    return this.dataSource.transaction('READ COMMITTED', async (transaction) => {
      const { affectedRows } = await transaction.query<{ affectedRows: number }>(
        `DELETE FROM guard_events WHERE at < ${this.now} - INTERVAL ? DAY ORDER BY at LIMIT ?`,
        [days, limit],
      );
      return affectedRows;
    });
  }
}
