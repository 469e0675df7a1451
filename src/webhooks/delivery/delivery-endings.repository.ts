import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inMs, NOW } from '../../platform/database/database-now.js';
import { appendAudit } from '../../platform/audit/audit-log.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { retryLockConflicts } from '../../platform/database/retry-lock-conflicts.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { DisabledBy } from '../endpoints/endpoint.entity.js';
import type { ClaimedDelivery, SendingEndpoint } from './delivery-turns.repository.js';
import { statement, type Statement } from '../../platform/database/statement.js';

/** What an attempt came to. */
export interface AttemptRecord {
  /** Null: no answer. */
  readonly status: number | null;
  readonly fault: string | null;
  /** Sealed. */
  readonly answer: Buffer | null;
  readonly tookMs: number;
  /** Milliseconds until the next attempt, or how the delivery has ended. */
  readonly next: number | 'delivered' | 'failed';
}

type Claim = Pick<ClaimedDelivery, 'id' | 'attempts'>;

const BODY_DAYS = 7;
const LOST_AFTER_DAYS = 5;
const ACTOR = 'service:webhooks';

/** Records attempts, and what they say of the endpoint. An attempt that was taken for lost meanwhile records nothing. */
@Injectable()
export class DeliveryEndingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async record({ id, attempts }: Claim, { status, fault, answer, tookMs, next }: AttemptRecord): Promise<void> {
    const ending =
      typeof next === 'number'
        ? statement`due_at = ${() => inMs(Math.round(next))}`
        : statement`state = ${next}, ended_at = ${() => NOW}, purge_at = ${() => NOW} + INTERVAL ${BODY_DAYS} DAY`;
    await this.change(statement`UPDATE webhook_deliveries SET sending_until = NULL, status = ${status}, fault = ${fault},
      answer = ${answer}, took_ms = ${tookMs}, ${ending}
      WHERE id = ${idToBytes(id)} AND attempts = ${attempts} AND state = 'due'`);
  }

  /** Takes back an attempt that this process does not make. */
  async release({ id, attempts }: Claim): Promise<void> {
    await this.change(statement`
      UPDATE webhook_deliveries SET sending_until = NULL, due_at = ${() => NOW}, attempts = attempts - 1
        WHERE id = ${idToBytes(id)} AND attempts = ${attempts} AND state = 'due'`);
  }

  /** @returns whether it is the first one after a success */
  async noteFailure({ id }: Pick<SendingEndpoint, 'id'>): Promise<boolean> {
    const { affectedRows } = await this.change(statement`
      UPDATE webhook_endpoints SET failing_since = ${() => NOW} WHERE id = ${idToBytes(id)} AND failing_since IS NULL`);
    return affectedRows > 0;
  }

  async noteSuccess({ id }: Pick<SendingEndpoint, 'id'>): Promise<void> {
    await this.change(statement`
      UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ${idToBytes(id)} AND failing_since IS NOT NULL`);
  }

  /** @returns whether it was on, and has failed for long enough if that is the reason */
  switchOff({ id, accountId }: Pick<SendingEndpoint, 'id' | 'accountId'>, by: DisabledBy): Promise<boolean> {
    const reason = by === 'failing' ? `AND failing_since <= ${NOW} - INTERVAL ${LOST_AFTER_DAYS} DAY` : '';
    return retriedTransaction(this.dataSource, async (transaction) => {
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
        UPDATE webhook_endpoints SET disabled_at = ${() => NOW}, disabled_by = ${by} WHERE id = ${idToBytes(id)}
          AND disabled_at IS NULL ${() => reason}`;
      if (affectedRows === 0) return false;
      await appendAudit(transaction, {
        actor: ACTOR,
        action: 'webhook.disable',
        accountId,
        subject: id,
        details: { by },
      });
      return true;
    });
  }

  private change(change: Statement): Promise<{ readonly affectedRows: number }> {
    return retryLockConflicts(() => change.run(this.dataSource));
  }
}
