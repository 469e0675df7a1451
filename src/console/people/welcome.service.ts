import { Injectable } from '@nestjs/common';
import { parseDisplayName } from '../../auth/display-name.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Client } from '../session/client.js';
import type { ConsoleUser } from '../session/console-caller.js';
import { hashToken } from '../session/token.js';
import { SessionsService, type BegunSession } from '../session/sessions.service.js';
import { Passwords } from '../sign-in/passwords.js';
import type { InvitationEntity } from './invitation.entity.js';
import { InvitationsRepository } from './invitations.repository.js';
import { UserLinksRepository } from './user-links.repository.js';
import type { WelcomeRequest } from './welcome.request.js';
import type { LinkResponse } from './welcome.response.js';

/** What a one-time link is good for. */
@Injectable()
export class WelcomeService {
  constructor(
    private readonly links: UserLinksRepository,
    private readonly invitations: InvitationsRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws AppError `not_found` */
  async read(token: string): Promise<LinkResponse> {
    const hash = hashOf(token);
    const link = await this.links.find(hash);
    if (link !== null) return { ...link, role: null, operator: false };
    const invitation = await this.invitations.find(hash);
    if (invitation === null) throw noSuchLink();
    return toMembershipLink(invitation);
  }

  /**
   * Gives the signed-in user what they are invited to, and their session another token.
   * @throws AppError `not_found`; `forbidden` for another user
   */
  async join(token: string, user: ConsoleUser, actor: Actor): Promise<BegunSession> {
    const { renewed, tokenSha256 } = this.sessions.renewal();
    const outcome = await this.invitations.take(hashOf(token), user, tokenSha256, actor);
    if (outcome === 'of_another_user') throw new AppError('forbidden', 'This link is for somebody else.');
    if (outcome === 'unknown') throw noSuchLink();
    return renewed;
  }

  /**
   * Sets the password and signs the user in; a second factor that is on is asked for all the same.
   * @throws AppError `not_found`, `validation_failed`, `too_many_attempts`
   */
  async choosePassword({ token, password, name }: WelcomeRequest, client: Client): Promise<BegunSession> {
    // Nobody has a password hashed without a link that is good.
    if ((await this.links.find(hashOf(token))) === null) throw noSuchLink();
    const chosen = name === undefined ? null : displayName(name);
    const passwordHash = await this.passwords.hash(password);
    const user = await this.links.use(hashOf(token), { passwordHash, name: chosen, address: client.address });
    if (user === null) throw noSuchLink();
    return this.sessions.begin(user, client);
  }
}

/** @throws AppError `not_found` for text that is no token */
function hashOf(token: string): string {
  const hash = hashToken(token);
  if (hash === null) throw noSuchLink();
  return hash;
}

/** Without the email of the user: another person may have the link. */
function toMembershipLink({ account, role, operator }: InvitationEntity): LinkResponse {
  return {
    kind: 'membership',
    email: null,
    name: null,
    account: account && { id: account.id, name: account.name },
    role,
    operator: operator === 1,
  };
}

/** @throws AppError `validation_failed` */
export function displayName(text: string): string {
  const name = parseDisplayName(text);
  if (name === null) throw new AppError('validation_failed', 'name must be 1 to 100 printable characters');
  return name;
}

function noSuchLink(): AppError {
  return new AppError('not_found', 'This link is unknown, was used or withdrawn, or is older than 24 hours.');
}
