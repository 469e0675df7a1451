import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/app-error.js';
import { PublicRoute } from '../../platform/http/public-route.js';
import { toAppError } from '../../platform/http/to-app-error.js';
import { clientOf } from '../session/client.js';
import { OwnOrigin } from '../session/own-origin.js';
import { SessionCookie } from '../session/session-cookie.js';
import { SignInMetrics } from '../sign-in/sign-in-metrics.js';
import { OidcCookie } from './oidc-cookie.js';
import { OidcRefusal, OidcSignInService } from './oidc-sign-in.service.js';
import { Provider } from './provider.js';

const CALLBACK = '/sign-in/oidc/callback';

/** Why a sign-in led nowhere: the page says it in words. */
type Problem = OidcRefusal['kind'] | 'too_many' | 'unavailable';

/** Sign-in by OpenID Connect: the browser is sent to the provider and comes back with a code. */
@Controller('sign-in/oidc')
@ApiExcludeController()
export class OidcController {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly provider: Provider,
    private readonly service: OidcSignInService,
    private readonly origin: OwnOrigin,
    private readonly cookie: OidcCookie,
    private readonly sessionCookie: SessionCookie,
    private readonly metrics: SignInMetrics,
  ) {}

  @Get()
  @PublicRoute()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    try {
      const { url, secrets } = await this.provider.begin(`${this.originOf(request)}${CALLBACK}`);
      this.cookie.set(reply, secrets);
      void reply.redirect(url, 303);
    } catch (error) {
      this.backToSignIn(request, reply, error);
    }
  }

  @Get('callback')
  @PublicRoute()
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const secrets = this.cookie.read(request);
    this.cookie.clear(reply);
    try {
      const callback = new URL(request.url, this.originOf(request));
      const signingIn = this.service.signIn(callback, secrets, clientOf(request));
      const { token, lifeSeconds } = await this.metrics.count('oidc', signingIn);
      this.sessionCookie.set(reply, token, lifeSeconds);
      void reply.redirect('/', 303);
    } catch (error) {
      this.backToSignIn(request, reply, error);
    }
  }

  /** A person looks at the answer: where the page has words for an error, it tells them. */
  private backToSignIn({ id: requestId }: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    const error = toAppError(thrown);
    const problem = problemOf(error);
    if (problem === null) throw error;
    if (error.cause !== undefined)
      this.logger.warn({ err: error.cause, requestId }, 'a sign-in by OpenID Connect failed');
    void reply.redirect(`/sign-in#oidc=${problem}`, 303);
  }

  /** @throws AppError `invalid_request` for a host that is not ours */
  private originOf({ headers }: FastifyRequest): string {
    const origin = this.origin.originFor(headers.host);
    if (origin === null) throw new AppError('invalid_request', 'The console is not reached by this name.');
    return origin;
  }
}

function problemOf(error: AppError): Problem | null {
  if (error instanceof OidcRefusal) return error.kind;
  if (error.code === 'too_many_attempts') return 'too_many';
  if (error.code === 'service_unavailable') return 'unavailable';
  // The user was disabled meanwhile.
  return error.code === 'unauthorized' ? 'failed' : null;
}
