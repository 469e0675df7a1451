import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { deliveryShare } from './delivery-share.js';

/** An endpoint to send to. */
export interface SendingEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  /** Sealed; the present one first. */
  readonly secrets: readonly Buffer[];
  readonly failingSince: Date | null;
  /** It has failed for so long that the next failure switches it off. */
  readonly isLost: boolean;
}

/** A delivery whose next attempt this process makes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly type: string;
  /** Sealed. */
  readonly body: Buffer;
  /** With this one. */
  readonly attempts: number;
}

interface EndpointRow {
  account_id: Buffer;
  url: string;
  secret: Buffer;
  old_secret: Buffer | null;
  failing_since: Date | null;
  is_lost: number;
}

const NOW = 'UTC_TIMESTAMP(3)';
const IS_ON = 'disabled_at IS NULL AND deleted_at IS NULL';
/** An attempt without a record after this time is lost with its process. Longer than any attempt. */
const CLAIM_SECONDS = 30;
const LOST_AFTER_DAYS = 5;

/** Claims deliveries that are due, and says when the next one is. */
@Injectable()
export class DeliveryTurnsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null: it is gone or switched off. */
  async findEndpoint(id: string): Promise<SendingEndpoint | null> {
    const [row] = await this.dataSource.query<EndpointRow[]>(
      `SELECT account_id, url, secret, IF(old_secret_until > ${NOW}, old_secret, NULL) AS old_secret, failing_since,
          COALESCE(failing_since <= ${NOW} - INTERVAL ${LOST_AFTER_DAYS} DAY, 0) AS is_lost
        FROM webhook_endpoints WHERE id = ? AND ${IS_ON}`,
      [idToBytes(id)],
    );
    if (row === undefined) return null;
    const { account_id, url, secret, old_secret, failing_since, is_lost } = row;
    const secrets = old_secret === null ? [secret] : [secret, old_secret];
    const accountId = idFromBytes(account_id);
    return { id, accountId, url, secrets, failingSince: failing_since, isLost: Number(is_lost) === 1 };
  }

  /** Claims due deliveries, as many as endpoint and account may have under way. Each counts as an attempt. */
  claim({ id, accountId }: Pick<SendingEndpoint, 'id' | 'accountId'>): Promise<ClaimedDelivery[]> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      const share = await shareOf(transaction, id, accountId);
      if (share <= 0) return [];
      const rows = await transaction.query<{ id: Buffer; type: string; body: Buffer; attempts: number }[]>(
        `SELECT id, type, body, attempts FROM webhook_deliveries FORCE INDEX (webhook_deliveries_due)
          WHERE endpoint_id = ? AND state = 'due' AND due_at <= ${NOW} ORDER BY due_at LIMIT ?`,
        [idToBytes(id), share],
      );
      if (rows.length === 0) return [];
      const until = `${NOW} + INTERVAL ${CLAIM_SECONDS} SECOND`;
      await transaction.query(
        `UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ${until}, sending_until = ${until}, attempted_at = ${NOW}
          WHERE id IN (?)`,
        [rows.map((row) => row.id)],
      );
      return rows.map(({ id: delivery, type, body, attempts }) => ({
        id: idFromBytes(delivery),
        type,
        body,
        attempts: attempts + 1,
      }));
    });
  }

  /** Milliseconds until the endpoint's next delivery is due; null: there is none. */
  async nextDueMs(endpointId: string): Promise<number | null> {
    const [row] = await this.dataSource.query<{ ms: string | null }[]>(
      `SELECT TIMESTAMPDIFF(MICROSECOND, ${NOW}, MIN(due_at)) DIV 1000 AS ms
        FROM webhook_deliveries FORCE INDEX (webhook_deliveries_due) WHERE endpoint_id = ? AND state = 'due'`,
      [idToBytes(endpointId)],
    );
    return row === undefined || row.ms === null ? null : Math.max(0, Number(row.ms));
  }

  /**
   * Endpoints with due deliveries, whatever Redis knows of them: one look-up in the index for each endpoint.
   * @param after id of the last endpoint of the page before
   */
  async dueEndpoints(
    after: string | null,
    limit: number,
  ): Promise<{ readonly endpointId: string; readonly accountId: string; readonly isDue: boolean }[]> {
    const rows = await this.dataSource.query<{ id: Buffer; account_id: Buffer; due: number | string }[]>(
      `SELECT e.id, e.account_id, EXISTS (SELECT 1 FROM webhook_deliveries d
          WHERE d.endpoint_id = e.id AND d.state = 'due' AND d.due_at <= ${NOW}) AS due
        FROM webhook_endpoints e WHERE e.id > ? AND ${IS_ON} ORDER BY e.id LIMIT ?`,
      [after === null ? Buffer.alloc(0) : idToBytes(after), limit],
    );
    return rows.map(({ id, account_id, due }) => ({
      endpointId: idFromBytes(id),
      accountId: idFromBytes(account_id),
      isDue: Number(due) === 1,
    }));
  }
}

/** The lock on the account's endpoints keeps two processes from claiming the same share. */
async function shareOf(transaction: EntityManager, endpointId: string, accountId: string): Promise<number> {
  const endpoints = await transaction.query<{ id: Buffer }[]>(
    `SELECT id FROM webhook_endpoints FORCE INDEX (webhook_endpoints_account)
      WHERE account_id = ? AND ${IS_ON} ORDER BY id FOR UPDATE`,
    [idToBytes(accountId)],
  );
  const rows = await transaction.query<{ endpoint_id: Buffer; sending: string }[]>(
    `SELECT endpoint_id, COUNT(*) AS sending FROM webhook_deliveries FORCE INDEX (webhook_deliveries_sending)
      WHERE account_id = ? AND sending_until > ${NOW} GROUP BY endpoint_id`,
    [idToBytes(accountId)],
  );
  const sending = new Map(rows.map((row) => [idFromBytes(row.endpoint_id), Number(row.sending)]));
  const ids = endpoints.map(({ id }) => idFromBytes(id));
  return ids.includes(endpointId) ? deliveryShare(endpointId, ids, sending) : 0;
}
