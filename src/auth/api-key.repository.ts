import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../platform/database/retried-transaction.js';
import { appendAudit, type Actor } from '../platform/audit/audit-log.repository.js';
import { databaseNow } from '../platform/database/database-now.js';
import { lockAccount, type RequireRoom } from './account.repository.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** A key without its hash. */
export type ApiKeyRecord = Readonly<Omit<ApiKeyEntity, 'sha256' | 'hidden'>>;

/** A key to store: its hash, not the key. */
export type NewApiKey = Pick<ApiKeyEntity, 'id' | 'sha256' | 'lastFour'>;
type OwnedApiKey = NewApiKey & Pick<ApiKeyEntity, 'accountId' | 'mode' | 'name'>;

export type Rotation =
  | { readonly kind: 'rotated'; readonly oldExpiresAt: Date }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended'; readonly status: 'expired' | 'revoked' }
  | { readonly kind: 'replaced'; readonly by: string };

/** API keys as operators manage them. Every change writes to the audit log in the same transaction. */
@Injectable()
export class ApiKeyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null for a hidden key too: nobody manages it. */
  findById(id: string): Promise<ApiKeyRecord | null> {
    return this.dataSource.getRepository(ApiKeyEntity).findOneBy({ id, hidden: 0 });
  }

  /** Oldest first, with keys that are no longer in force, without the hidden one. */
  listOf(accountId: string): Promise<ApiKeyRecord[]> {
    return this.dataSource.getRepository(ApiKeyEntity).find({ where: { accountId, hidden: 0 }, order: { id: 'ASC' } });
  }

  /** Names by id, the hidden key included; null: the key has no name. */
  async namesOf(accountId: string): Promise<ReadonlyMap<string, string | null>> {
    const keys = await this.dataSource
      .getRepository(ApiKeyEntity)
      .find({ select: { id: true, name: true }, where: { accountId } });
    return new Map(keys.map(({ id, name }) => [id, name]));
  }

  /**
   * Returns false if there is no such account.
   * @param beforeCommit if it rejects, no key is stored
   * @param requireRoom the same, before anything is written
   */
  insert(
    key: OwnedApiKey,
    actor: Actor,
    beforeCommit: () => Promise<void>,
    requireRoom?: RequireRoom,
  ): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const { accountId, id: subject, mode, lastFour } = key;
      if ((await lockAccount(transaction, accountId)) === null) return false;
      await requireRoom?.(transaction);
      await insertKey(transaction, key);
      const details = { mode, last_four: lastFour };
      await appendAudit(transaction, { actor, action: 'key.create', accountId, subject, details });
      await beforeCommit();
      return true;
    });
  }

  /**
   * Stores a successor, and lets the old key expire after the grace period, or earlier if it already had to. Locks the old
   * key's row, so that two rotations of it make one successor.
   * @param beforeCommit if it rejects, nothing changes
   * @param requireRoom the same, before anything is read
   */
  rotate(
    id: string,
    successor: NewApiKey,
    graceSeconds: number,
    actor: Actor,
    beforeCommit: (oldExpiresAt: Date) => Promise<void>,
    requireRoom?: RequireRoom,
  ): Promise<Rotation> {
    return retriedSnapshot(this.dataSource, async (transaction): Promise<Rotation> => {
      await requireRoom?.(transaction);
      const old = await lock(transaction, id);
      if (old === null) return { kind: 'unknown' };
      if (old.replacedBy !== null) return { kind: 'replaced', by: old.replacedBy };
      if (old.status !== 'active') return { kind: 'ended', status: old.status };
      const { accountId, mode, name } = old;
      await insertKey(transaction, { ...successor, accountId, mode, name });
      const end = `UTC_TIMESTAMP(3) + INTERVAL ${Math.floor(graceSeconds)} SECOND`;
      await transaction.update(
        ApiKeyEntity,
        { id },
        { replacedBy: successor.id, expiresAt: () => `IF(expires_at < ${end}, expires_at, ${end})` },
      );
      const details = { successor: successor.id, last_four: successor.lastFour, grace_seconds: graceSeconds };
      await appendAudit(transaction, { actor, action: 'key.rotate', accountId, subject: id, details });
      const { expiresAt } = await transaction.findOneByOrFail(ApiKeyEntity, { id });
      await beforeCommit(expiresAt!);
      return { kind: 'rotated', oldExpiresAt: expiresAt! };
    });
  }

  /** Returns when the key was revoked, now or before; null if there is no such key. */
  revoke(id: string, actor: Actor): Promise<Date | null> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const key = await lock(transaction, id);
      if (key === null || key.revokedAt !== null) return key?.revokedAt ?? null;
      await transaction.update(ApiKeyEntity, { id }, { revokedAt: databaseNow });
      await appendAudit(transaction, { actor, action: 'key.revoke', accountId: key.accountId, subject: id });
      return (await transaction.findOneByOrFail(ApiKeyEntity, { id })).revokedAt;
    });
  }
}

function lock(transaction: EntityManager, id: string): Promise<ApiKeyEntity | null> {
  return transaction.findOne(ApiKeyEntity, { where: { id, hidden: 0 }, lock: { mode: 'pessimistic_write' } });
}

async function insertKey(
  transaction: EntityManager,
  { id, accountId, mode, name, sha256, lastFour }: OwnedApiKey,
): Promise<void> {
  await transaction.insert(ApiKeyEntity, { id, accountId, mode, name, sha256, lastFour, createdAt: databaseNow });
}
