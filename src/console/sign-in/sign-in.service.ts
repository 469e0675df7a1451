import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { ChangePasswordRequest } from '../people/me.request.js';
import { UserRepository } from '../people/user.repository.js';
import type { UserEntity } from '../people/user.entity.js';
import { normalEmail } from '../people/user-email.js';
import type { Client } from '../session/client.js';
import type { ConsoleUser } from '../session/console-caller.js';
import { SessionsService, signInHasEnded, type BegunSession } from '../session/sessions.service.js';
import { Passwords } from './passwords.js';
import { SecondFactor, wrongCode } from './second-factor.js';
import { SignInAttempts } from './sign-in-attempts.js';

/** Sign-in by password, and by authentication code where the user has switched that on. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly passwords: Passwords,
    private readonly attempts: SignInAttempts,
    private readonly secondFactor: SecondFactor,
  ) {}

  /** @throws AppError `sign_in_failed`, `too_many_attempts` */
  async signIn(email: string, password: string, client: Client): Promise<BegunSession> {
    await this.attempts.begin(email, client.address);
    const user = await this.users.findByEmail(normalEmail(email));
    if (!(await this.passwords.matches(passwordOf(user), password)) || user === null) throw signInFailed();
    const session = await this.sessions.begin(user, client);
    // With a second factor the sign-in has not succeeded yet.
    if (session.stage === 'full') await this.attempts.forgive(email, client.address);
    return session;
  }

  /**
   * The second step of a sign-in.
   * @throws AppError `sign_in_failed`, `too_many_attempts`; `unauthorized` after too many codes: the sign-in begins anew
   */
  async enterCode({ id, email, sessionId }: ConsoleUser, code: string, client: Client): Promise<BegunSession> {
    if (!(await this.sessions.countCode(id, sessionId))) {
      throw new AppError('unauthorized', 'Too many codes were wrong; sign in again.');
    }
    await this.takeCode(id, code);
    await this.attempts.forgive(email, client.address);
    return this.sessions.complete(id, sessionId, client);
  }

  /**
   * Checks the password of the signed-in user, and an authentication code where one is given: a wrong code counts like a wrong
   * password, so that nobody tries them all. Returns the user as it was read.
   * @throws AppError `sign_in_failed`, `too_many_attempts`; `conflict` if the user has none
   */
  async confirm(
    { id, email }: ConsoleUser,
    { password, code = null }: { readonly password: string; readonly code?: string | null },
    { address }: Client,
  ): Promise<UserEntity> {
    const user = await this.users.getById(id);
    const { passwordHash } = user;
    if (passwordHash === null) throw new AppError('conflict', 'You have no password yet.');
    await this.attempts.begin(email, address);
    if (!(await this.passwords.matches(passwordHash, password))) {
      throw new AppError('sign_in_failed', 'The password is wrong.');
    }
    if (code !== null) await this.takeCode(id, code);
    await this.attempts.forgive(email, address);
    return user;
  }

  /** After too many wrong ones only recovery codes are taken, which nobody can guess. */
  private async takeCode(userId: string, code: string): Promise<void> {
    const waitSeconds = await this.attempts.beginCode(userId);
    if (waitSeconds > 0) {
      if (await this.secondFactor.takeRecoveryCode(userId, code)) return;
      throw new AppError('too_many_attempts', 'Too many authentication codes were wrong: enter a recovery code.', {
        retryAfterSeconds: waitSeconds,
      });
    }
    if (!(await this.secondFactor.take(userId, code))) throw wrongCode();
    await this.attempts.forgiveCode(userId);
  }

  /**
   * Ends all sessions of the signed-in user, and begins one anew for this browser.
   * @throws AppError what `confirm` throws
   */
  async changePassword(
    user: ConsoleUser,
    { current_password, new_password }: ChangePasswordRequest,
    client: Client,
  ): Promise<BegunSession> {
    const known = await this.confirm(user, { password: current_password }, client);
    const actor = { name: `user:${user.id}`, address: client.address };
    const passwordHash = await this.passwords.hash(new_password);
    if (!(await this.users.changePassword(user.id, known.passwordHash, passwordHash, actor))) throw signInHasEnded();
    return this.sessions.beginWhole({ ...known, passwordHash }, client);
  }
}

function passwordOf(user: UserEntity | null): string | null {
  return user === null || user.disabledAt !== null ? null : user.passwordHash;
}

/** Never says which was wrong. */
function signInFailed(): AppError {
  return new AppError('sign_in_failed', 'The sign-in failed: check the email and the password.');
}
