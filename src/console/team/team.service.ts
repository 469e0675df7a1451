import { Injectable } from '@nestjs/common';
import type { RequireRoom } from '../../auth/account.repository.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppError } from '../../platform/errors/app-error.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { InvitationsRepository } from '../people/invitations.repository.js';
import type { MembershipEntity } from '../people/membership.entity.js';
import type { MemberRole } from '../people/role.js';
import { parseUserEmail, USER_EMAIL_RULE } from '../people/user-email.js';
import { newWelcomeLink } from '../people/welcome-link.js';
import { isInvited, TeamRepository } from './team.repository.js';
import type { AddMemberRequest } from './team.request.js';
import type { AddedMemberResponse, InvitationResponse, MemberResponse } from './team.response.js';

/** The members of an account. */
@Injectable()
export class TeamService {
  constructor(
    private readonly team: TeamRepository,
    private readonly openInvitations: InvitationsRepository,
  ) {}

  async list(accountId: string): Promise<MemberResponse[]> {
    return (await this.team.list(accountId)).map(toMember);
  }

  async invitations(accountId: string): Promise<InvitationResponse[]> {
    return (await this.openInvitations.listOf(accountId)).map(({ userId, user, role, expiresAt }) => ({
      user_id: userId,
      email: user.email,
      role: role!,
      expires_at: expiresAt.toISOString(),
    }));
  }

  /** @throws AppError `not_found` */
  async withdraw(accountId: string, userId: string, actor: Actor): Promise<void> {
    if (!(await this.openInvitations.withdraw(accountId, userId, actor))) throw noSuch('invitation');
  }

  /**
   * @param origin of the console, for the link
   * @throws AppError `validation_failed`, `conflict` for a member, `not_found` without such an account, `quota_exceeded`
   */
  async add(
    accountId: string,
    { email: given, role }: AddMemberRequest,
    actor: Actor,
    origin: string,
    requireRoom?: RequireRoom,
  ): Promise<AddedMemberResponse> {
    const email = parseUserEmail(given);
    if (email === null) throw new AppError('validation_failed', `email ${USER_EMAIL_RULE}`);
    const link = newWelcomeLink(origin);
    const member = { email, role, linkSha256: link.tokenSha256 };
    const outcome = await this.team.add(accountId, member, actor, requireRoom);
    if (outcome.kind === 'unknown_account') throw noSuch('account');
    if (outcome.kind !== 'added') throw new AppError('conflict', 'This user is a member already.');
    return { user_id: outcome.userId, email, role, known: !outcome.isNewUser, link: link.url };
  }

  /** @throws AppError `not_found`; `conflict` for a user who has a password */
  async renewLink(accountId: string, userId: string, actor: Actor, origin: string): Promise<string> {
    const link = newWelcomeLink(origin);
    if (await this.team.renewLink(accountId, userId, link.tokenSha256, actor)) return link.url;
    await this.memberOf(accountId, userId);
    throw new AppError('conflict', 'This user has signed in before: only operators reset passwords.');
  }

  /** @throws AppError `not_found`, `last_owner` */
  async setRole(accountId: string, userId: string, role: MemberRole, actor: Actor): Promise<MemberResponse> {
    refuse(await this.team.setRole(accountId, userId, role, actor));
    return this.memberOf(accountId, userId);
  }

  /** @throws AppError `not_found`, `last_owner` */
  async remove(accountId: string, userId: string, actor: Actor): Promise<void> {
    refuse(await this.team.remove(accountId, userId, actor));
  }

  private async memberOf(accountId: string, userId: string): Promise<MemberResponse> {
    const member = await this.team.find(accountId, userId);
    if (member === null) throw noSuch('member');
    return toMember(member);
  }
}

function refuse(outcome: Awaited<ReturnType<TeamRepository['setRole']>>): void {
  if (outcome === 'unknown_member') throw noSuch('member');
  if (outcome === 'last_owner') throw new AppError('last_owner', 'The last owner of an account stays its owner.');
}

function toMember({ user, role }: MembershipEntity): MemberResponse {
  return {
    user_id: user.id,
    email: user.email,
    name: user.name,
    role,
    invited: isInvited(user),
    last_signed_in_at: user.lastSignedInAt?.toISOString() ?? null,
    totp: user.totpOnAt !== null,
  };
}
