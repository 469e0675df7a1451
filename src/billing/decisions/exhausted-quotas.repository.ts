import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import { OutboxRepository } from '../../webhooks/outbox/outbox.repository.js';
import type { DueEndpoint } from '../../webhooks/outbox/webhook-delivery.queue.js';
import { formatMonth, type Month } from '../month.js';

/** Tells accounts once a month that their quota of remote decisions is used up. */
@Injectable()
export class ExhaustedQuotasRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxRepository,
  ) {}

  /** A repeat in the same month does nothing. @returns the endpoints to queue */
  report(accountId: string, month: Month, perMonth: number): Promise<readonly DueEndpoint[]> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
        UPDATE decision_counts SET exhausted_at = UTC_TIMESTAMP(3)
          WHERE account_id = ${idToBytes(accountId)} AND month = ${month} AND exhausted_at IS NULL`;
      if (affectedRows === 0) return [];
      return this.outbox.writeWithin(transaction, {
        accountId,
        mode: 'live',
        type: 'guard.quota_exhausted',
        data: () => ({ month: formatMonth(month), quota: perMonth }),
      });
    });
  }
}
