import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/app-error.js';
import { PublicRoute } from '../../platform/http/public-route.js';
import { clientOf } from '../session/client.js';
import { OwnOrigin } from '../session/own-origin.js';
import { SessionCookie } from '../session/session-cookie.js';
import { SessionsService } from '../session/sessions.service.js';
import { SignInAttempts } from '../sign-in/sign-in-attempts.js';
import { SignInMetrics } from '../sign-in/sign-in-metrics.js';
import { OidcCookie } from './oidc-cookie.js';
import { OidcUserRepository } from './oidc-user.repository.js';
import { Provider } from './provider.js';

const CALLBACK = '/sign-in/oidc/callback';

/** Why a sign-in led nowhere: the page says it in words. */
type Problem = 'failed' | 'unknown' | 'unverified' | 'too_many';

/** Sign-in by OpenID Connect: the browser is sent to the provider and comes back with a code. */
@Controller('sign-in/oidc')
@ApiExcludeController()
export class OidcController {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly provider: Provider,
    private readonly users: OidcUserRepository,
    private readonly sessions: SessionsService,
    private readonly attempts: SignInAttempts,
    private readonly origin: OwnOrigin,
    private readonly cookie: OidcCookie,
    private readonly sessionCookie: SessionCookie,
    private readonly metrics: SignInMetrics,
  ) {}

  @Get()
  @PublicRoute()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { url, secrets } = await this.provider.begin(`${this.originOf(request)}${CALLBACK}`);
    this.cookie.set(reply, secrets);
    void reply.redirect(url, 303);
  }

  /** The provider has asked for its own second factor: ours is not asked for again. */
  @Get('callback')
  @PublicRoute()
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const secrets = this.cookie.read(request);
    this.cookie.clear(reply);
    const client = clientOf(request);
    try {
      if (secrets === null) throw new Error('the browser was not sent to the provider from here');
      await this.attempts.begin(null, client.address);
      const identity = await this.provider.finish(new URL(request.url, this.originOf(request)), secrets);
      await this.attempts.forgive(null, client.address);
      const found = await this.users.find(identity, client.address);
      if (found.kind !== 'found') {
        this.metrics.note('oidc', 'failed');
        return backToSignIn(reply, found.kind);
      }
      const { token, lifeSeconds } = await this.sessions.beginWhole(found.user, client);
      this.sessionCookie.set(reply, token, lifeSeconds);
      this.metrics.note('oidc', 'passed');
      void reply.redirect('/', 303);
    } catch (err) {
      if (err instanceof AppError && err.code === 'too_many_attempts') return backToSignIn(reply, 'too_many');
      if (err instanceof AppError) throw err;
      this.logger.warn({ err, requestId: request.id }, 'a sign-in by OpenID Connect failed');
      this.metrics.note('oidc', 'failed');
      backToSignIn(reply, 'failed');
    }
  }

  /** @throws AppError `invalid_request` for a host that is not ours */
  private originOf({ headers }: FastifyRequest): string {
    const origin = this.origin.originFor(headers.host);
    if (origin === null) throw new AppError('invalid_request', 'The console is not reached by this name.');
    return origin;
  }
}

function backToSignIn(reply: FastifyReply, problem: Problem): void {
  void reply.redirect(`/sign-in#oidc=${problem}`, 303);
}
