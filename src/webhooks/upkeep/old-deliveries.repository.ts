import { NOW } from '../../platform/database/database-now.js';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { statement, type Statement } from '../../platform/database/statement.js';

const BODY_DAYS = 7;
const ROW_DAYS = 30;

/** Erases and deletes what is kept of deliveries long enough. Each statement changes up to `limit` rows. */
@Injectable()
export class OldDeliveriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Ends what waits for endpoints that are off. */
  @PurgeEvery(60_000, 'purge-webhook-deliveries')
  async endUnwanted(limit: number): Promise<number> {
    const endpoints = await this.someEndpoints(
      `e.disabled_at IS NOT NULL AND e.deleted_at IS NULL AND EXISTS
        (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'due')`,
    );
    if (endpoints.length === 0) return 0;
    return this.change(statement`UPDATE webhook_deliveries
      SET state = 'failed', ended_at = ${() => NOW}, purge_at = ${() => NOW} + INTERVAL ${BODY_DAYS} DAY
      WHERE endpoint_id IN (${endpoints}) AND state = 'due'
        AND (sending_until IS NULL OR sending_until <= ${() => NOW}) LIMIT ${limit}`);
  }

  /** Deletes the deliveries of deleted endpoints. */
  @PurgeEvery(60_000, 'purge-webhook-deliveries')
  async deleteOrphans(limit: number): Promise<number> {
    const endpoints = await this.someEndpoints(
      `e.deleted_at IS NOT NULL AND (e.deleted_at <= ${NOW} - INTERVAL 1 HOUR OR EXISTS
        (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id))`,
    );
    if (endpoints.length === 0) return 0;
    const orphans = statement`DELETE FROM webhook_deliveries WHERE endpoint_id IN (${endpoints}) LIMIT ${limit}`;
    const deleted = await this.change(orphans);
    // A transaction that saw the endpoint before it was deleted may still add one.
    if (deleted === 0) await this.deleteEndpoints(endpoints);
    return deleted;
  }

  /** Erases what was sent and answered a week after the end. */
  @PurgeEvery(60_000, 'purge-webhook-deliveries')
  eraseBodies(limit: number): Promise<number> {
    return this.change(statement`UPDATE webhook_deliveries
      SET body = NULL, answer = NULL, purge_at = purge_at + INTERVAL ${ROW_DAYS - BODY_DAYS} DAY
      WHERE purge_at <= ${() => NOW} AND body IS NOT NULL ORDER BY purge_at LIMIT ${limit}`);
  }

  /** Deletes rows a month after the end. */
  @PurgeEvery(60_000, 'purge-webhook-deliveries')
  deleteOld(limit: number): Promise<number> {
    return this.change(statement`
      DELETE FROM webhook_deliveries WHERE purge_at <= ${() => NOW} AND body IS NULL ORDER BY purge_at LIMIT ${limit}`);
  }

  private async deleteEndpoints(endpoints: readonly Buffer[]): Promise<void> {
    await this.dataSource.sql`
      DELETE FROM webhook_endpoints WHERE id IN (${endpoints}) AND deleted_at <= ${() => NOW} - INTERVAL 1 HOUR
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = webhook_endpoints.id)`;
  }

  private async someEndpoints(are: string): Promise<Buffer[]> {
    const rows = await this.dataSource.query<{ id: Buffer }[]>(
      `SELECT e.id FROM webhook_endpoints e WHERE ${are} ORDER BY e.id LIMIT 100`,
    );
    return rows.map(({ id }) => id);
  }

  private async change(change: Statement): Promise<number> {
    return (await change.run<{ affectedRows: number }>(this.dataSource)).affectedRows;
  }
}
