import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Client } from '../session/client.js';
import { SessionsService, type BegunSession } from '../session/sessions.service.js';
import { SignInAttempts } from '../sign-in/sign-in-attempts.js';
import { OidcUserRepository, type FoundUser, type ProvenIdentity } from './oidc-user.repository.js';
import { Provider, type SignInSecrets } from './provider.js';

/** Nobody is signed in by what the provider answered. */
export class OidcRefusal extends AppError {
  constructor(
    readonly kind: 'failed' | Exclude<FoundUser['kind'], 'found'>,
    cause?: unknown,
  ) {
    super('sign_in_failed', 'The sign-in by OpenID Connect failed.', { cause });
  }
}

@Injectable()
export class OidcSignInService {
  constructor(
    private readonly provider: Provider,
    private readonly users: OidcUserRepository,
    private readonly sessions: SessionsService,
    private readonly attempts: SignInAttempts,
  ) {}

  /**
   * The provider has asked for its own second factor: ours is not asked for again.
   * @param callback the address at which the browser came back
   * @param secrets null where the browser brings none
   * @throws OidcRefusal; AppError `too_many_attempts`, `service_unavailable`
   */
  async signIn(callback: URL, secrets: SignInSecrets | null, client: Client): Promise<BegunSession> {
    if (secrets === null)
      throw new OidcRefusal('failed', new Error('the browser was not sent to the provider from here'));
    await this.attempts.begin(null, client.address);
    const identity = await this.identify(callback, secrets);
    await this.attempts.forgive(null, client.address);
    const found = await this.users.find(identity, client.address);
    if (found.kind !== 'found') throw new OidcRefusal(found.kind);
    return this.sessions.beginWhole(found.user, client);
  }

  private async identify(callback: URL, secrets: SignInSecrets): Promise<ProvenIdentity> {
    try {
      return await this.provider.finish(callback, secrets);
    } catch (error) {
      throw error instanceof AppError ? error : new OidcRefusal('failed', error);
    }
  }
}
