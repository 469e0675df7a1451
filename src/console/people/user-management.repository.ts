import type { DataSource, EntityManager } from 'typeorm';
import { groupBy } from '../../platform/collections/group-by.js';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { clearSecondFactor } from '../sign-in/second-factor.repository.js';
import { addMember, insertUser, type Addition, type NewMember } from '../team/team.repository.js';
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

export type Creation =
  | { readonly kind: 'created'; readonly userId: string; readonly isNewUser: boolean }
  | Exclude<Addition, { kind: 'added' }>;

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
    { isOperator, actor }: { readonly isOperator: boolean; readonly actor: Actor },
    beforeCommit: (created: Extract<Creation, { kind: 'created' }>) => Promise<void>,
  ): Promise<Creation> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const added =
        accountId === null
          ? await addUser(transaction, member)
          : await addMember(transaction, accountId, member, actor);
      if (added.kind !== 'added') return added;
      const { userId, isNewUser } = added;
      if (isOperator) await makeOperator(transaction, userId, actor);
      await beforeCommit({ kind: 'created', userId, isNewUser });
      return { kind: 'created', userId, isNewUser };
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

async function addUser(transaction: EntityManager, { email, linkSha256 }: NewMember) {
  const known = await transaction.findOneBy(UserEntity, { email });
  if (known !== null) return { kind: 'added', userId: known.id, isNewUser: false } as const;
  const userId = await insertUser(transaction, email);
  await insertLink(transaction, { tokenSha256: linkSha256, userId, accountId: null, kind: 'invitation' });
  return { kind: 'added', userId, isNewUser: true } as const;
}

async function makeOperator(transaction: EntityManager, userId: string, actor: Actor): Promise<void> {
  const { affected } = await transaction.update(UserEntity, { id: userId, operator: 0 }, { operator: 1 });
  if (affected === 1) await appendUserAudit(transaction, { userId, actor, action: 'user.make-operator' });
}

async function findAndLock(transaction: EntityManager, email: string): Promise<UserEntity | null> {
  const user = await transaction.findOneBy(UserEntity, { email });
  return user && lockUser(transaction, user.id);
}
