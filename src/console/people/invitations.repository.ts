import { Injectable } from '@nestjs/common';
import { DataSource, Raw, type EntityManager } from 'typeorm';
import { lockAccount } from '../../auth/account.repository.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { databaseNow, NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { ConsoleUser } from '../session/console-caller.js';
import { renewSession } from '../session/session.repository.js';
import { InvitationEntity } from './invitation.entity.js';
import { MembershipEntity } from './membership.entity.js';
import { appendUserAudit } from './user-audit.repository.js';
import { UserEntity } from './user.entity.js';
import { linkEnd } from './user-links.repository.js';

type NewInvitation = Pick<InvitationEntity, 'tokenSha256' | 'userId' | 'accountId' | 'role' | 'operator'>;

const open = { expiresAt: Raw((column) => `${column} > ${NOW}`) };

/** Invitations of users who are known: somebody with their email is let in only as the user who has it here. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** With its account. Null when the token is unknown, used, too old or withdrawn. @param tokenSha256 hex */
  find(tokenSha256: string): Promise<InvitationEntity | null> {
    return this.dataSource
      .getRepository(InvitationEntity)
      .findOne({ where: { tokenSha256, ...open }, relations: { account: true } });
  }

  /** Those that are open, with their users; the one that ends first comes first. */
  listOf(accountId: string): Promise<InvitationEntity[]> {
    return this.dataSource.getRepository(InvitationEntity).find({
      where: { accountId, ...open },
      relations: { user: true },
      order: { expiresAt: 'ASC', userId: 'ASC' },
    });
  }

  /** False: the account has invited no such user. */
  withdraw(accountId: string, userId: string, actor: Actor): Promise<boolean> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      const { affected } = await transaction.delete(InvitationEntity, { accountId, userId });
      if (affected !== 1) return false;
      await appendAudit(transaction, { actor, action: 'member.withdraw', accountId, subject: userId });
      return true;
    });
  }

  /**
   * Gives a user what an invitation promises, and uses it up. Two who take it at once: one of them does.
   * @param tokenSha256 of the link, in hex
   * @param sessionSha256 of the token that the user's session gets, for their rights rise
   * @throws AppError `unauthorized` if the session has ended meanwhile
   */
  take(
    tokenSha256: string,
    user: ConsoleUser,
    sessionSha256: string,
    actor: Actor,
  ): Promise<'taken' | 'unknown' | 'of_another_user'> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      const invitation = await transaction.findOneBy(InvitationEntity, { tokenSha256 });
      if (invitation === null) return 'unknown';
      const { userId, accountId, role, operator } = invitation;
      if (userId !== user.id) return 'of_another_user';
      if (accountId !== null && (await lockAccount(transaction, accountId)) === null) return 'unknown';
      const { affected } = await transaction.delete(InvitationEntity, { tokenSha256, ...open });
      if (affected !== 1) return 'unknown';
      if (accountId !== null && role !== null) await join(transaction, { accountId, userId, role }, actor);
      if (operator === 1) await makeOperator(transaction, userId, actor);
      await renewSession(transaction, user, sessionSha256);
      return 'taken';
    });
  }
}

async function join(
  transaction: EntityManager,
  membership: Pick<MembershipEntity, 'accountId' | 'userId' | 'role'>,
  actor: Actor,
): Promise<void> {
  const { accountId, userId, role } = membership;
  await transaction.insert(MembershipEntity, { ...membership, createdAt: databaseNow });
  await appendAudit(transaction, { actor, action: 'member.join', accountId, subject: userId, details: { role } });
}

/** In place of an earlier one of the user for the account. @param transaction locks the account's row */
export async function insertInvitation(
  transaction: EntityManager,
  { userId, accountId, role, ...rest }: NewInvitation,
  actor: Actor,
): Promise<void> {
  await transaction.sql`
    DELETE FROM invitations WHERE user_id = ${idToBytes(userId)}
      AND account_id <=> ${accountId && idToBytes(accountId)}`;
  await transaction.insert(InvitationEntity, {
    ...rest,
    userId,
    accountId,
    role,
    expiresAt: linkEnd,
  });
  if (accountId !== null) {
    await appendAudit(transaction, { actor, action: 'member.invite', accountId, subject: userId, details: { role } });
  }
  if (rest.operator === 1) await appendUserAudit(transaction, { userId, actor, action: 'user.invite-operator' });
}

export async function makeOperator(transaction: EntityManager, userId: string, actor: Actor): Promise<void> {
  const { affected } = await transaction.update(UserEntity, { id: userId, operator: 0 }, { operator: 1 });
  if (affected === 1) await appendUserAudit(transaction, { userId, actor, action: 'user.make-operator' });
}
