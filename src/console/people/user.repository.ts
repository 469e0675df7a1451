import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { MembershipEntity } from './membership.entity.js';
import { appendUserAudit } from './user-audit.repository.js';
import { SessionEntity } from '../session/session.entity.js';
import { UserEntity } from './user.entity.js';
import { UserLinkEntity } from './user-link.entity.js';

/** Users and the accounts they are members of. */
@Injectable()
export class UserRepository {
  constructor(private readonly dataSource: DataSource) {}

  getById(id: string): Promise<UserEntity> {
    return this.dataSource.getRepository(UserEntity).findOneByOrFail({ id });
  }

  findByEmail(email: string): Promise<UserEntity | null> {
    return this.dataSource.getRepository(UserEntity).findOneBy({ email });
  }

  /** By the name of the account. */
  membershipsOf(userId: string): Promise<MembershipEntity[]> {
    return this.dataSource.getRepository(MembershipEntity).find({
      where: { userId },
      relations: { account: true },
      order: { account: { name: 'ASC', id: 'ASC' } },
    });
  }

  rename(userId: string, name: string, actor: Actor): Promise<void> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      await transaction.update(UserEntity, { id: userId }, { name });
      await appendUserAudit(transaction, { userId, actor, action: 'user.rename' });
    });
  }

  /**
   * Ends the links and all sessions of the user.
   * @param known the password's hash as it was read; false: it is another one by now, and stays
   */
  changePassword(userId: string, known: string | null, passwordHash: string, actor: Actor): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const user = await lockUser(transaction, userId);
      if (user === null || user.passwordHash !== known) return false;
      await setPassword(transaction, userId, passwordHash, actor);
      return true;
    });
  }
}

/** The user's row, locked until the transaction ends. */
export function lockUser(transaction: EntityManager, id: string): Promise<UserEntity | null> {
  return transaction.findOne(UserEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** Sets the password and ends the user's sessions and one-time links. */
export async function setPassword(
  transaction: EntityManager,
  userId: string,
  passwordHash: string,
  actor: Actor,
): Promise<void> {
  await transaction.update(UserEntity, { id: userId }, { passwordHash });
  await endAccess(transaction, userId);
  await appendUserAudit(transaction, { userId, actor, action: 'user.password' });
}

/** Ends the sessions and links of a user. */
export async function endAccess(transaction: EntityManager, userId: string): Promise<void> {
  await transaction.delete(SessionEntity, { userId });
  await transaction.delete(UserLinkEntity, { userId });
}
