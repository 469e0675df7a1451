import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { lockAccount, type RequireRoom } from '../../auth/account.repository.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { newId } from '../../platform/ids/uuid.js';
import { insertInvitation, makeOperator } from '../people/invitations.repository.js';
import { MembershipEntity } from '../people/membership.entity.js';
import { mayActAs, type MemberRole } from '../people/role.js';
import { insertLink } from '../people/user-links.repository.js';
import { UserEntity } from '../people/user.entity.js';
import { SessionEntity } from '../session/session.entity.js';

export interface NewMember {
  /** As it is stored. */
  readonly email: string;
  /** Null: none, for an operator without an account. */
  readonly role: MemberRole | null;
  readonly isOperator?: boolean;
  /** Of the link, in hex. */
  readonly linkSha256: string;
}

export interface Added {
  readonly kind: 'added';
  readonly userId: string;
  /** False: the user is invited, and gets what is promised by opening the link while signed in. */
  readonly isNewUser: boolean;
}
export type Addition = Added | { readonly kind: 'unknown_account' | 'already_member' | 'already_operator' };

export type Change = 'changed' | 'unknown_member' | 'last_owner';

/** Members of accounts. The account's row is locked while they change, so that it never loses its last owner. */
@Injectable()
export class TeamRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The oldest first. */
  list(accountId: string): Promise<MembershipEntity[]> {
    return this.dataSource.getRepository(MembershipEntity).find({
      where: { accountId },
      relations: { user: true },
      order: { createdAt: 'ASC', userId: 'ASC' },
    });
  }

  find(accountId: string, userId: string): Promise<MembershipEntity | null> {
    return this.dataSource
      .getRepository(MembershipEntity)
      .findOne({ where: { accountId, userId }, relations: { user: true } });
  }

  /**
   * Makes a new user a member, or invites a known one.
   * @param requireRoom if it rejects, nothing changes
   */
  async add(accountId: string, member: NewMember, actor: Actor, requireRoom?: RequireRoom): Promise<Addition> {
    for (let tries = 0; ; tries++) {
      try {
        return await retriedSnapshot(this.dataSource, async (transaction) => {
          await requireRoom?.(transaction);
          return addMember(transaction, accountId, member, actor);
        });
      } catch (error) {
        // Another account invited the same person at the same moment.
        if (tries > 0 || !isDuplicateKey(error, 'users_email')) throw error;
      }
    }
  }

  /** A higher role ends the user's sessions. */
  setRole(accountId: string, userId: string, role: MemberRole, actor: Actor): Promise<Change> {
    return this.change(accountId, userId, actor, role, async (transaction, { role: before }) => {
      await transaction.update(MembershipEntity, { accountId, userId }, { role });
      // More rights need another token. Only a person who signs in again is sure to be the user.
      if (mayActAs(role, before)) await transaction.delete(SessionEntity, { userId });
      return { action: 'member.set-role', details: { from: before, to: role } };
    });
  }

  /** A user without any account left is deleted, unless it is an operator. */
  remove(accountId: string, userId: string, actor: Actor): Promise<Change> {
    return this.change(accountId, userId, actor, null, async (transaction, { role: before }) => {
      await transaction.delete(MembershipEntity, { accountId, userId });
      await deleteUserWithoutAccount(transaction, userId);
      return { action: 'member.remove', details: { role: before } };
    });
  }

  /** A new link for a member who has chosen no password yet. False: there is no such member. */
  renewLink(accountId: string, userId: string, linkSha256: string, actor: Actor): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const member = await transaction.findOne(MembershipEntity, {
        where: { accountId, userId },
        relations: { user: true },
      });
      if (member === null || !isInvited(member.user)) return false;
      await insertLink(transaction, { tokenSha256: linkSha256, userId, accountId, kind: 'invitation' });
      await appendAudit(transaction, { actor, action: 'member.link', accountId, subject: userId });
      return true;
    });
  }

  private change(
    accountId: string,
    userId: string,
    actor: Actor,
    /** Null: none. */
    newRole: MemberRole | null,
    work: (
      transaction: EntityManager,
      member: MembershipEntity,
    ) => Promise<{ readonly action: string; readonly details: Readonly<Record<string, string>> }>,
  ): Promise<Change> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      if ((await lockAccount(transaction, accountId)) === null) return 'unknown_member';
      const member = await transaction.findOneBy(MembershipEntity, { accountId, userId });
      if (member === null) return 'unknown_member';
      if (member.role === newRole) return 'changed';
      if (
        member.role === 'owner' &&
        (await transaction.countBy(MembershipEntity, { accountId, role: 'owner' })) === 1
      ) {
        return 'last_owner';
      }
      await appendAudit(transaction, { actor, accountId, subject: userId, ...(await work(transaction, member)) });
      return 'changed';
    });
  }
}

/** Has never come, by a password or by OpenID Connect. To an operator, nobody but an operator gives another link. */
export function isInvited({ passwordHash, oidcSubject, lastSignedInAt, operator }: UserEntity): boolean {
  return passwordHash === null && oidcSubject === null && lastSignedInAt === null && operator === 0;
}

/**
 * A new user gets at once what an operator or an owner gives, and a link to choose a password on. Nobody has proven that the
 * password of a known one is in the hands of the person who is meant, so that user is invited.
 * @param transaction locks the account's row
 * @param accountId null: none
 */
export async function addMember(
  transaction: EntityManager,
  accountId: string | null,
  member: NewMember,
  actor: Actor,
): Promise<Addition> {
  if (accountId !== null && (await lockAccount(transaction, accountId)) === null) return { kind: 'unknown_account' };
  const { email, role, linkSha256: tokenSha256, isOperator = false } = member;
  const known = await transaction.findOneBy(UserEntity, { email });
  if (known !== null) return invite(transaction, known, accountId, member, actor);
  const userId = await insertUser(transaction, email);
  await insertLink(transaction, { tokenSha256, userId, accountId, kind: 'invitation' });
  if (accountId !== null && role !== null) {
    await transaction.insert(MembershipEntity, { accountId, userId, role, createdAt: databaseNow });
    await appendAudit(transaction, { actor, action: 'member.add', accountId, subject: userId, details: { role } });
  }
  if (isOperator) await makeOperator(transaction, userId, actor);
  return { kind: 'added', userId, isNewUser: true };
}

async function invite(
  transaction: EntityManager,
  { id: userId, operator }: UserEntity,
  accountId: string | null,
  { role, linkSha256: tokenSha256, isOperator = false }: NewMember,
  actor: Actor,
): Promise<Addition> {
  if (accountId === null) {
    if (operator === 1) return { kind: 'already_operator' };
  } else if ((await transaction.findOneBy(MembershipEntity, { accountId, userId })) !== null) {
    return { kind: 'already_member' };
  }
  await insertInvitation(transaction, { tokenSha256, userId, accountId, role, operator: isOperator ? 1 : 0 }, actor);
  return { kind: 'added', userId, isNewUser: false };
}

/** A user is called by the local part of the email until a name is chosen. */
async function insertUser(transaction: EntityManager, email: string): Promise<string> {
  const id = newId();
  await transaction.insert(UserEntity, { id, email, name: email.split('@', 1)[0]!, createdAt: databaseNow });
  return id;
}

/** Operators stay. */
async function deleteUserWithoutAccount(transaction: EntityManager, userId: string): Promise<void> {
  if ((await transaction.countBy(MembershipEntity, { userId })) > 0) return;
  await transaction.delete(UserEntity, { id: userId, operator: 0 });
}
