import { Injectable } from '@nestjs/common';
import type { ClientAuth, Configuration } from 'openid-client';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppSecrets } from '../../platform/config/app-secrets.js';
import { AppError } from '../../platform/errors/app-error.js';
import { parseUserEmail } from '../people/user-email.js';
import type { ProvenIdentity } from './oidc-user.repository.js';

/** Of one request to the provider. */
const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email profile';

/** What the browser keeps while the user is at the provider's page. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * The provider of OpenID Connect, by the authorization code flow with PKCE. Its address is a setting of the operator, so it may be a
 * private one. The library is loaded when the first user comes.
 */
@Injectable()
export class Provider {
  private known: Promise<Configuration> | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly secrets: AppSecrets,
  ) {}

  /** Where to send the browser, and what it has to bring back. */
  async begin(redirectUri: string): Promise<{ readonly url: string; readonly secrets: SignInSecrets }> {
    const [client, configuration] = [await import('openid-client'), await this.configuration()];
    const secrets = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, secrets };
  }

  /**
   * Who came back.
   * @param callback the whole URL of the request
   * @throws the library's error, for an answer that is not good
   */
  async finish(callback: URL, { state, nonce, verifier }: SignInSecrets): Promise<ProvenIdentity> {
    const [client, configuration] = [await import('openid-client'), await this.configuration()];
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    // Many providers say the email only when they are asked for it.
    const said =
      claims['email'] === undefined
        ? { ...claims, ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
        : claims;
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: typeof said['email'] === 'string' ? parseUserEmail(said['email']) : null,
      isEmailVerified: said['email_verified'] === true,
    };
  }

  /** @throws AppError `not_found` where no provider is set, `service_unavailable` where it does not answer */
  private async configuration(): Promise<Configuration> {
    const { oidc } = this.config.console;
    if (oidc === null) throw new AppError('not_found', 'Sign-in by OpenID Connect is not set up.');
    this.known ??= this.discover(oidc);
    try {
      return await this.known;
    } catch (cause) {
      this.known = null;
      throw new AppError('service_unavailable', 'The provider of the sign-in does not answer; retry.', {
        retryAfterSeconds: 5,
        cause,
      });
    }
  }

  private async discover({ issuer, clientId }: NonNullable<AppConfig['console']['oidc']>): Promise<Configuration> {
    const client = await import('openid-client');
    const secret = this.secrets.oidcClientSecret ?? '';
    const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
    const authenticate: ClientAuth = (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
    };
    // Only addresses of this machine pass the configuration without TLS.
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    return client.discovery(new URL(issuer), clientId, undefined, authenticate, {
      execute: [client.enableNonRepudiationChecks, ...insecure],
      timeout: TIMEOUT_SECONDS,
    });
  }
}
