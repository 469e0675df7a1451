import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { deliveryShare } from './delivery-share.js';

/** An endpoint to send to. */
export interface SendingEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly isFailing: boolean;
  /** How many deliveries to it may be under way. */
  readonly share: number;
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

interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** What signs them. Sealed; the present one first. */
  readonly secrets: readonly Buffer[];
}

interface DueRow {
  id: Buffer;
  type: string;
  body: Buffer;
  attempts: number;
  secret: Buffer;
  old_secret: Buffer | null;
  older_secret: Buffer | null;
}

interface EndpointRow {
  account_id: Buffer;
  url: string;
  failing_since: Date | null;
  endpoints: number | string;
}

const NOTHING: Claim = { deliveries: [], secrets: [] };
const IS_ON = 'disabled_at IS NULL AND deleted_at IS NULL';
/** An attempt without a record after this time is lost with its process. Longer than any attempt. */
const CLAIM_SECONDS = 30;

/** Claims deliveries that are due, and says when the next one is. */
@Injectable()
export class DeliveryTurnsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null: it is gone or switched off. */
  async findEndpoint(id: string): Promise<SendingEndpoint | null> {
    const [row] = await this.dataSource.sql<EndpointRow[]>`SELECT account_id, url, failing_since,
        (SELECT COUNT(*) FROM webhook_endpoints o WHERE o.account_id = e.account_id AND o.disabled_at IS NULL
          AND o.deleted_at IS NULL) AS endpoints
      FROM webhook_endpoints e WHERE id = ${idToBytes(id)} AND ${() => IS_ON}`;
    if (row === undefined) return null;
    const { account_id, url } = row;
    return {
      id,
      accountId: idFromBytes(account_id),
      url,
      isFailing: row.failing_since !== null,
      share: deliveryShare(Number(row.endpoints)),
    };
  }

  /** Claims due deliveries of an endpoint that is still on. Each counts as an attempt. */
  claim({ id }: Pick<SendingEndpoint, 'id'>, limit: number): Promise<Claim> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      const rows = await transaction.sql<DueRow[]>`
        SELECT id, type, body, attempts, (SELECT secret FROM webhook_endpoints WHERE id = d.endpoint_id) AS secret,
            (SELECT old_secret FROM webhook_endpoints WHERE id = d.endpoint_id
              AND old_secret_until > ${() => NOW}) AS old_secret,
            (SELECT older_secret FROM webhook_endpoints WHERE id = d.endpoint_id
              AND older_secret_until > ${() => NOW}) AS older_secret
          FROM webhook_deliveries d FORCE INDEX (webhook_deliveries_due)
          WHERE endpoint_id = ${idToBytes(id)} AND state = 'due' AND due_at <= ${() => NOW} ORDER BY due_at
            LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
      const [first] = rows;
      if (first === undefined) return NOTHING;
      const until = `${NOW} + INTERVAL ${CLAIM_SECONDS} SECOND`;
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
        UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ${() => until},
          sending_until = ${() => until}, attempted_at = ${() => NOW}
          WHERE id IN (${rows.map((row) => row.id)}) AND EXISTS (SELECT 1 FROM webhook_endpoints e
            WHERE e.id = ${idToBytes(id)} AND ${() => IS_ON})`;
      if (affectedRows === 0) return NOTHING;
      const deliveries = rows.map(({ id: delivery, type, body, attempts }) => ({
        id: idFromBytes(delivery),
        type,
        body,
        attempts: attempts + 1,
      }));
      const { secret, old_secret, older_secret } = first;
      return { deliveries, secrets: [secret, old_secret, older_secret].filter((one) => one !== null) };
    });
  }

  /** Milliseconds until the endpoint's next delivery is due; null: there is none. */
  async nextDueMs(endpointId: string): Promise<number | null> {
    const [row] = await this.dataSource.sql<{ ms: string | null }[]>`
      SELECT TIMESTAMPDIFF(MICROSECOND, ${() => NOW}, MIN(due_at)) DIV 1000 AS ms
        FROM webhook_deliveries FORCE INDEX (webhook_deliveries_due) WHERE endpoint_id = ${idToBytes(endpointId)}
          AND state = 'due'`;
    return row === undefined || row.ms === null ? null : Math.max(0, Number(row.ms));
  }

  /** The account of an endpoint that is on, and milliseconds until its next delivery is due; null: there is none. */
  async findTurn(endpointId: string): Promise<{ readonly accountId: string; readonly dueMs: number } | null> {
    const [row] = await this.dataSource.sql<{ account_id: Buffer }[]>`
      SELECT account_id FROM webhook_endpoints WHERE id = ${idToBytes(endpointId)} AND ${() => IS_ON}`;
    const dueMs = row === undefined ? null : await this.nextDueMs(endpointId);
    return row === undefined || dueMs === null ? null : { accountId: idFromBytes(row.account_id), dueMs };
  }

  /**
   * Endpoints with due deliveries, whatever Redis knows of them: one look-up in the index for each endpoint.
   * @param after id of the last endpoint of the page before
   */
  async dueEndpoints(
    after: string | null,
    limit: number,
  ): Promise<{ readonly endpointId: string; readonly accountId: string; readonly isDue: boolean }[]> {
    const rows = await this.dataSource.sql<{ id: Buffer; account_id: Buffer; due: number | string }[]>`
      SELECT e.id, e.account_id, EXISTS (SELECT 1 FROM webhook_deliveries d
          WHERE d.endpoint_id = e.id AND d.state = 'due' AND d.due_at <= ${() => NOW}) AS due
        FROM webhook_endpoints e WHERE e.id > ${after === null ? Buffer.alloc(0) : idToBytes(after)}
          AND ${() => IS_ON} ORDER BY e.id LIMIT ${limit}`;
    return rows.map(({ id, account_id, due }) => ({
      endpointId: idFromBytes(id),
      accountId: idFromBytes(account_id),
      isDue: Number(due) === 1,
    }));
  }
}
