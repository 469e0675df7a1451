import type { DataSource, EntityManager } from 'typeorm';
import { groupBy } from '../../platform/collections/group-by.js';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { clearSecondFactor } from '../sign-in/second-factor.repository.js';
import { addMember, type Added, type Addition, type NewMember } from '../team/team.repository.js';
import { MembershipEntity } from './membership.entity.js';
import { appendUserAudit } from './user-audit.repository.js';
import { endAccess, lockUser } from './user.repository.js';
import { insertLink } from './user-links.repository.js';
import { UserEntity } from './user.entity.js';

/** A user as operators see them. */
export interface ListedUser {
  readonly user: UserEntity;
  readonly memberships: readonly MembershipEntity[];
}

/** What an operator does with users. */
export class UserManagementRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By email. */
  async list(): Promise<ListedUser[]> {
    const users = await this.dataSource.getRepository(UserEntity).find({ order: { email: 'ASC' } });
    const memberships = await this.dataSource
      .getRepository(MembershipEntity)
      .find({ relations: { account: true }, order: { accountId: 'ASC' } });
    const byUser = groupBy(memberships, ({ userId }) => userId);
    return users.map((user) => ({ user, memberships: byUser.get(user.id) ?? [] }));
  }

  /** @param accountId null: none, for an operator */
  create(
    accountId: string | null,
    member: NewMember,
    actor: Actor,
    beforeCommit: (added: Added) => Promise<void>,
  ): Promise<Addition> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const outcome = await addMember(transaction, accountId, member, actor);
      if (outcome.kind === 'added') await beforeCommit(outcome);
      return outcome;
    });
  }

  /**
   * Ends the user's sessions and password, and makes a link on which another password is chosen. False: there is no such user.
   * @param isCodeOff switches authentication codes off too
   * @param beforeCommit if it rejects, nothing is changed
   */
  reset(
    email: string,
    linkSha256: string,
    { isCodeOff, actor }: { readonly isCodeOff: boolean; readonly actor: Actor },
    beforeCommit: (userId: string) => Promise<void>,
  ): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const user = await findAndLock(transaction, email);
      if (user === null) return false;
      const { id: userId } = user;
      await endAccess(transaction, userId);
      await transaction.update(UserEntity, { id: userId }, { passwordHash: null, disabledAt: null });
      await insertLink(transaction, { tokenSha256: linkSha256, userId, accountId: null, kind: 'reset' });
      await appendUserAudit(transaction, { userId, actor, action: 'user.reset' });
      if (isCodeOff) await clearSecondFactor(transaction, userId, actor);
      await beforeCommit(userId);
      return true;
    });
  }

  /** Ends the user's sessions and links for good, until a reset. Null: there is no such user. */
  disable(email: string, actor: Actor): Promise<string | null> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const user = await findAndLock(transaction, email);
      if (user === null) return null;
      if (user.disabledAt !== null) return user.id;
      await endAccess(transaction, user.id);
      await transaction.update(UserEntity, { id: user.id }, { disabledAt: databaseNow });
      await appendUserAudit(transaction, { userId: user.id, actor, action: 'user.disable' });
      return user.id;
    });
  }
}

async function findAndLock(transaction: EntityManager, email: string): Promise<UserEntity | null> {
  const user = await transaction.findOneBy(UserEntity, { email });
  return user && lockUser(transaction, user.id);
}
