import { Injectable } from '@nestjs/common';
import { parseDisplayName } from '../../auth/display-name.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Client } from '../session/client.js';
import { hashToken } from '../session/token.js';
import { SessionsService, type BegunSession } from '../session/sessions.service.js';
import { Passwords } from '../sign-in/passwords.js';
import { UserLinksRepository, type FoundLink } from './user-links.repository.js';
import type { WelcomeRequest } from './welcome.request.js';

/** What a one-time link is good for. */
@Injectable()
export class WelcomeService {
  constructor(
    private readonly links: UserLinksRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws AppError `not_found` */
  async read(token: string): Promise<FoundLink> {
    const hash = hashToken(token);
    const found = hash === null ? null : await this.links.find(hash);
    if (found === null) throw noSuchLink();
    return found;
  }

  /**
   * Sets the password and signs the user in; a second factor that is on is asked for all the same.
   * @throws AppError `not_found`, `validation_failed`, `too_many_attempts`
   */
  async choosePassword({ token, password, name }: WelcomeRequest, client: Client): Promise<BegunSession> {
    // Nobody has a password hashed without a link that is good.
    await this.read(token);
    const chosen = name === undefined ? null : displayName(name);
    const passwordHash = await this.passwords.hash(password);
    const user = await this.links.use(hashToken(token)!, { passwordHash, name: chosen, address: client.address });
    if (user === null) throw noSuchLink();
    return this.sessions.begin(user, client);
  }
}

/** @throws AppError `validation_failed` */
export function displayName(text: string): string {
  const name = parseDisplayName(text);
  if (name === null) throw new AppError('validation_failed', 'name must be 1 to 100 printable characters');
  return name;
}

function noSuchLink(): AppError {
  return new AppError('not_found', 'This link is unknown, was used, or is older than 24 hours.');
}
