import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { OutboxRepository } from '../../webhooks/outbox/outbox.repository.js';
import { takesEvent } from '../../webhooks/outbox/takes-event.js';
import type { DueEndpoint } from '../../webhooks/outbox/webhook-delivery.queue.js';
import { statement } from '../../platform/database/statement.js';

interface Row {
  id: Buffer;
  account_id: Buffer;
  low: string;
  is_low: number;
  credits: string;
}

const TYPE = 'credits.low';
const CREDITS = 'COALESCE(b.purchased + b.gifted, 0)';
/** Endpoints whose balance has crossed their `low` since it was last looked at. */
const CROSSED = statement`SELECT e.id, e.account_id, e.low, e.is_low, ${() => CREDITS} AS credits
  FROM webhook_endpoints e LEFT JOIN account_balances b ON b.account_id = e.account_id
  WHERE e.mode = 'live' AND e.low IS NOT NULL AND ${takesEvent(TYPE)} AND e.is_low <> (${() => CREDITS} < e.low)`;

/** Finds balances that fell under what an endpoint calls low, or rose above it. */
@Injectable()
export class LowBalanceRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxRepository,
  ) {}

  /** Reads without locks, so that no charge waits. */
  async crossed(limit: number): Promise<string[]> {
    const rows = await statement`${CROSSED} ORDER BY e.id LIMIT ${limit}`.run<Row[]>(this.dataSource);
    return rows.map(({ id }) => idFromBytes(id));
  }

  /** Remembers on which side the balance is, and reports a fall in the same transaction. @returns what to queue */
  settle(endpointId: string): Promise<DueEndpoint | null> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      // The lock of the endpoint alone: the balance is a snapshot.
      await transaction.sql`SELECT id FROM webhook_endpoints WHERE id = ${idToBytes(endpointId)} FOR UPDATE`;
      const [row] = await statement`${CROSSED} AND e.id = ${idToBytes(endpointId)}`.run<Row[]>(transaction);
      if (row === undefined) return null;
      const isLow = 1 - row.is_low;
      await transaction.sql`UPDATE webhook_endpoints SET is_low = ${isLow} WHERE id = ${row.id}`;
      if (isLow === 0) return null;
      const endpoint = { endpointId, accountId: idFromBytes(row.account_id) };
      const data = { credits: Number(row.credits), low: Number(row.low) };
      await this.outbox.insertion([{ ...endpoint, id: newId(), type: TYPE, data }]).run(transaction);
      return endpoint;
    });
  }
}
