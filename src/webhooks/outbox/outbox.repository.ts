import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { KeyMode } from '../../auth/api-key.js';
import { NOW } from '../../platform/database/database-now.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { TextSealer } from '../../platform/sealing/text-sealer.js';
import type { EventType, SentType } from '../event-type.js';
import { deliveryContext } from '../sealing-contexts.js';
import { takesEvent } from './takes-event.js';
import type { DueEndpoint } from './webhook-delivery.queue.js';
import { sqlValue, statement, type Statement } from '../../platform/database/statement.js';

/** Something that an account may want to hear of. */
export interface OutboxEvent {
  readonly accountId: string;
  /** Endpoints of this mode hear of it. */
  readonly mode: KeyMode;
  readonly type: EventType;
  /** The event's own fields. Asked for only if an endpoint takes the event. */
  readonly data: () => object | Promise<object>;
  /** When to send it; left out: now. */
  readonly dueAt?: Date;
}

/** An event for one endpoint. */
export interface NewDelivery extends DueEndpoint {
  readonly id: string;
  readonly type: SentType;
  readonly data: object;
  readonly dueAt?: Date | undefined;
}

/** Writes events for the endpoints that take them, in the transaction that does what they report. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly sealer: TextSealer) {}

  /** @returns the endpoints to queue after the commit */
  async writeWithin(
    transaction: EntityManager,
    { accountId, mode, type, data, dueAt }: OutboxEvent,
  ): Promise<readonly DueEndpoint[]> {
    const rows = await statement`
      SELECT e.id FROM webhook_endpoints e FORCE INDEX (webhook_endpoints_account)
        WHERE e.account_id = ${idToBytes(accountId)} AND e.mode = ${mode} AND ${takesEvent(type)}`.run<
      { id: Buffer }[]
    >(transaction);
    if (rows.length === 0) return [];
    const fields = await data();
    const endpoints = rows.map(({ id }) => ({ endpointId: idFromBytes(id), accountId }));
    const deliveries = endpoints.map((endpoint) => ({ ...endpoint, id: newId(), type, data: fields, dueAt }));
    await this.insertion(deliveries).run(transaction);
    return endpoints;
  }

  /** Stores deliveries; at least one. */
  insertion(deliveries: readonly NewDelivery[]): Statement {
    const now = sqlValue(NOW);
    const rows = deliveries.map(({ id, endpointId, accountId, type, data, dueAt }) => {
      const timestamp = (dueAt ?? new Date()).toISOString();
      const body = this.sealer.seal(JSON.stringify({ type, timestamp, data }), deliveryContext(id));
      return [idToBytes(id), idToBytes(endpointId), idToBytes(accountId), type, body, dueAt ?? now, now];
    });
    return statement`INSERT INTO webhook_deliveries (id, endpoint_id, account_id, type, body, due_at, created_at)
      VALUES ${rows}`;
  }
}
