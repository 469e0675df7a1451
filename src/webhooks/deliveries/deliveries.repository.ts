import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import type { EndpointKey } from '../endpoints/endpoints.repository.js';
import { TEST_EVENT, type SentType } from '../event-type.js';
import { OutboxRepository } from '../outbox/outbox.repository.js';
import type { DueEndpoint } from '../outbox/webhook-delivery.queue.js';

type DeliveryState = 'due' | 'delivered' | 'failed';

/** A delivery as lists show it: nothing that could contain an address. */
export interface Delivery {
  /** The `webhook-id` of every attempt. */
  readonly id: string;
  readonly endpointId: string;
  readonly type: SentType;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** HTTP status of the last attempt; null: it had no answer, or there was none. */
  readonly status: number | null;
  /** Why the last attempt had no answer, such as `timeout`. */
  readonly fault: string | null;
  readonly tookMs: number | null;
  readonly createdAt: Date;
  readonly attemptedAt: Date | null;
  /** When the next attempt is due; null: there is none. */
  readonly dueAt: Date | null;
  readonly endedAt: Date | null;
  /** Its body is erased: it cannot be sent again. */
  readonly isErased: boolean;
}

/** Whose delivery, and which. */
export interface DeliveryKey {
  readonly accountId: string;
  readonly id: string;
}

/** With what was sent and answered, sealed. */
export interface WholeDelivery extends Delivery {
  readonly body: Buffer | null;
  readonly answer: Buffer | null;
}

export type ResendOutcome = 'due' | 'erased' | 'off' | 'missing';

interface Row extends Omit<Delivery, 'id' | 'endpointId' | 'dueAt' | 'isErased'> {
  id: Buffer;
  endpointId: Buffer;
  dueAt: Date;
  isErased: number | string;
}

const COLUMNS = `d.id, d.endpoint_id AS endpointId, d.type, d.state, d.attempts, d.status, d.fault, d.took_ms AS tookMs,
  d.created_at AS createdAt, d.attempted_at AS attemptedAt, d.due_at AS dueAt, d.ended_at AS endedAt, d.body IS NULL AS isErased`;
const IS_ON = 'e.disabled_at IS NULL AND e.deleted_at IS NULL';
/** Deliveries of a deleted endpoint are invisible. */
const VISIBLE = 'JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.deleted_at IS NULL';

/** Deliveries, for the people of an account. */
@Injectable()
export class DeliveriesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxRepository,
  ) {}

  /**
   * Newest first.
   * @param before id of the last delivery of the page before; null: the first page
   */
  async page({ accountId, id }: EndpointKey, before: string | null, limit: number): Promise<Delivery[]> {
    const rows = await this.dataSource.sql<Row[]>`
      SELECT ${() => COLUMNS} FROM webhook_deliveries d FORCE INDEX (webhook_deliveries_list) ${() => VISIBLE}
        WHERE d.endpoint_id = ${idToBytes(id)} AND d.account_id = ${idToBytes(accountId)}
          AND d.id < ${before === null ? Buffer.alloc(16, 0xff) : idToBytes(before)} ORDER BY d.id DESC LIMIT ${limit}`;
    return rows.map(toDelivery);
  }

  async find({ accountId, id }: DeliveryKey): Promise<WholeDelivery | null> {
    const [row] = await this.dataSource.sql<(Row & Pick<WholeDelivery, 'body' | 'answer'>)[]>`
      SELECT ${() => COLUMNS}, d.body, d.answer FROM webhook_deliveries d ${() => VISIBLE}
        WHERE d.id = ${idToBytes(id)} AND d.account_id = ${idToBytes(accountId)}`;
    return row === undefined ? null : { ...toDelivery(row), body: row.body, answer: row.answer };
  }

  /** The account of a delivery, for commands, which name a delivery alone. */
  async accountOf(id: string): Promise<string | null> {
    const [row] = await this.dataSource.sql<{ account_id: Buffer }[]>`
      SELECT account_id FROM webhook_deliveries WHERE id = ${idToBytes(id)}`;
    return row === undefined ? null : idFromBytes(row.account_id);
  }

  /** Makes a delivery due as if it were new. One whose attempt is under way stays as it is. */
  resend({ accountId, id }: DeliveryKey, actor: Actor): Promise<ResendOutcome> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      const [row] = await transaction.sql<{ is_on: number | string; is_erased: number | string }[]>`
        SELECT ${() => IS_ON} AS is_on, d.body IS NULL AS is_erased FROM webhook_deliveries d ${() => VISIBLE}
          WHERE d.id = ${idToBytes(id)} AND d.account_id = ${idToBytes(accountId)} FOR UPDATE`;
      if (row === undefined) return 'missing';
      if (Number(row.is_erased) === 1) return 'erased';
      if (Number(row.is_on) === 0) return 'off';
      await transaction.sql`
        UPDATE webhook_deliveries SET state = 'due', attempts = 0, due_at = ${() => NOW}, ended_at = NULL,
          purge_at = NULL WHERE id = ${idToBytes(id)} AND (sending_until IS NULL OR sending_until <= ${() => NOW})`;
      await appendAudit(transaction, { actor, action: 'webhook.resend', accountId, subject: id });
      return 'due';
    });
  }

  /** @returns the id of the delivery */
  async insertTest(endpoint: DueEndpoint, actor: Actor): Promise<string> {
    const id = newId();
    const { endpointId, accountId } = endpoint;
    const delivery = { ...endpoint, id, type: TEST_EVENT, data: { endpoint_id: endpointId } } as const;
    await retriedTransaction(this.dataSource, async (transaction) => {
      await this.outbox.insertion([delivery]).run(transaction);
      await appendAudit(transaction, { actor, action: 'webhook.test', accountId, subject: endpointId });
    });
    return id;
  }
}

function toDelivery(row: Row): Delivery {
  return {
    ...row,
    id: idFromBytes(row.id),
    endpointId: idFromBytes(row.endpointId),
    dueAt: row.state === 'due' ? row.dueAt : null,
    isErased: Number(row.isErased) === 1,
  };
}
