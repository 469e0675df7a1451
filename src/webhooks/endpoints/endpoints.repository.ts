import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { lockAccount } from '../../auth/account.repository.js';
import type { KeyMode } from '../../auth/api-key.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { EndpointEntity } from './endpoint.entity.js';

export type NewEndpoint = Pick<EndpointEntity, 'id' | 'accountId' | 'mode' | 'url' | 'events' | 'low' | 'secret'>;

export const MAX_ENDPOINTS = 10;
/** Endpoints of an account with deleted ones, whose rows stay for an hour: bounds what a key can add in that time. */
const MAX_ROWS = 100;

/** Whose endpoint, and which. */
export interface EndpointKey {
  readonly accountId: string;
  readonly id: string;
}

/** Endpoints of an account, without deleted ones. Every change writes to the audit log in the same transaction. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Oldest first. */
  list(accountId: string, mode?: KeyMode): Promise<EndpointEntity[]> {
    return this.dataSource.getRepository(EndpointEntity).find({
      where: { accountId, deletedAt: IsNull(), ...(mode !== undefined && { mode }) },
      order: { id: 'ASC' },
    });
  }

  find({ accountId, id }: EndpointKey): Promise<EndpointEntity | null> {
    return this.dataSource.getRepository(EndpointEntity).findOneBy({ id, accountId, deletedAt: IsNull() });
  }

  /** For commands, which name an endpoint alone. */
  findById(id: string): Promise<EndpointEntity | null> {
    return this.dataSource.getRepository(EndpointEntity).findOneBy({ id, deletedAt: IsNull() });
  }

  /** @param beforeCommit if it rejects, nothing is stored */
  insert(
    endpoint: NewEndpoint,
    actor: Actor,
    beforeCommit: () => Promise<void>,
  ): Promise<'made' | 'full' | 'busy' | 'unknown_account'> {
    const { id, accountId, mode, events } = endpoint;
    return retriedSnapshot(this.dataSource, async (transaction) => {
      // The account's lock: two calls at once do not both take the last place.
      if ((await lockAccount(transaction, accountId)) === null) return 'unknown_account';
      const held = await transaction.countBy(EndpointEntity, { accountId, deletedAt: IsNull() });
      if (held >= MAX_ENDPOINTS) return 'full';
      if ((await transaction.countBy(EndpointEntity, { accountId })) >= MAX_ROWS) return 'busy';
      await transaction.insert(EndpointEntity, { ...endpoint, createdAt: databaseNow });
      const details = { mode, events: events.join(',') };
      await appendAudit(transaction, { actor, action: 'webhook.create', accountId, subject: id, details });
      await beforeCommit();
      return 'made';
    });
  }

  /**
   * The present secret stays good for a day, and the one before it for as long as it was to: the answer of the last
   * rotation may have been lost, so that the receiver has that one.
   * @param beforeCommit if it rejects, nothing changes
   */
  rotate(key: EndpointKey, secret: Buffer, actor: Actor, beforeCommit: () => Promise<void>): Promise<boolean> {
    return this.change(key, actor, 'webhook.rotate', async (transaction, endpoint) => {
      const { id, secret: oldSecret, oldSecret: olderSecret, oldSecretUntil: olderSecretUntil } = endpoint;
      const until = () => `${databaseNow()} + INTERVAL 1 DAY`;
      const secrets = { secret, oldSecret, oldSecretUntil: until, olderSecret, olderSecretUntil };
      await transaction.update(EndpointEntity, { id }, secrets);
      await beforeCommit();
      return true;
    });
  }

  /** A repeat changes nothing. */
  enable(key: EndpointKey, actor: Actor): Promise<boolean> {
    return this.change(key, actor, 'webhook.enable', async (transaction, { id, disabledAt }) => {
      if (disabledAt === null) return false;
      await transaction.update(EndpointEntity, { id }, { disabledAt: null, disabledBy: null, failingSince: null });
      return true;
    });
  }

  /** A repeat changes nothing. Deliveries that wait become failed. */
  disable(key: EndpointKey, actor: Actor): Promise<boolean> {
    const by = 'person';
    return this.change(
      key,
      actor,
      'webhook.disable',
      async (transaction, { id, disabledAt }) => {
        if (disabledAt !== null) return false;
        await transaction.update(EndpointEntity, { id }, { disabledAt: databaseNow, disabledBy: by });
        return true;
      },
      { by },
    );
  }

  /** Its secrets go at once, its deliveries soon. */
  delete(key: EndpointKey, actor: Actor): Promise<boolean> {
    return this.change(key, actor, 'webhook.delete', async (transaction, { id }) => {
      const secret = Buffer.alloc(0);
      await transaction.update(
        EndpointEntity,
        { id },
        {
          deletedAt: databaseNow,
          secret,
          oldSecret: null,
          olderSecret: null,
        },
      );
      return true;
    });
  }

  /**
   * @param work whether it changes something
   * @returns whether there is such an endpoint
   */
  private change(
    { accountId, id }: EndpointKey,
    actor: Actor,
    action: string,
    work: (transaction: EntityManager, endpoint: EndpointEntity) => Promise<boolean>,
    details?: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const endpoint = await transaction.findOne(EndpointEntity, {
        where: { id, accountId, deletedAt: IsNull() },
        lock: { mode: 'pessimistic_write' },
      });
      if (endpoint === null) return false;
      if (!(await work(transaction, endpoint))) return true;
      await appendAudit(transaction, { actor, action, accountId, subject: id, ...(details && { details }) });
      return true;
    });
  }
}
