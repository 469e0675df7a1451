import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { Anybody, HalfSession, SignedIn } from '../session/access.js';
import { clientOf } from '../session/client.js';
import { consoleUserOf, type ConsoleUser } from '../session/console-caller.js';
import { SessionCookie } from '../session/session-cookie.js';
import { SessionRepository } from '../session/session.repository.js';
import { answerSession } from './answer-session.js';
import { SignInMetrics } from './sign-in-metrics.js';
import { CodeRequest, SignInRequest } from './sign-in.request.js';
import { SignInResponse } from './sign-in.response.js';
import { SignInService } from './sign-in.service.js';
import { By, CurrentUser } from '../session/console-params.js';

@Controller('console/api')
@ApiTags('Session')
export class SignInController {
  constructor(
    private readonly service: SignInService,
    private readonly sessions: SessionRepository,
    private readonly cookie: SessionCookie,
    private readonly metrics: SignInMetrics,
  ) {}

  @Post('sign-in')
  @Anybody()
  @ApiOperation({ operationId: 'signIn', summary: 'Begin a session by email and password' })
  @ApiAnswer(200, { type: SignInResponse })
  @ApiErrors('sign_in_failed', 'too_many_attempts')
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { email, password }: SignInRequest,
  ): Promise<SignInResponse> {
    const signingIn = this.service.signIn(email, password, clientOf(request));
    return answerSession(this.cookie, reply, await this.metrics.count('password', signingIn));
  }

  @Post('sign-in/code')
  @HalfSession()
  @ApiOperation({ operationId: 'enterCode', summary: 'The second step of a sign-in: an authentication code' })
  @ApiAnswer(200, { type: SignInResponse })
  @ApiErrors('sign_in_failed', 'too_many_attempts')
  async enterCode(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { code }: CodeRequest,
  ): Promise<SignInResponse> {
    const entering = this.service.enterCode(consoleUserOf(request), code, clientOf(request));
    return answerSession(this.cookie, reply, await this.metrics.count('code', entering));
  }

  @Post('sign-out')
  @SignedIn()
  @ApiOperation({ operationId: 'signOut', summary: 'End the session' })
  @ApiAnswer(204, { description: 'It has ended.' })
  async signOut(
    @CurrentUser() { id, sessionId }: ConsoleUser,
    @By() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.end(id, sessionId, { actor, action: 'user.sign-out' });
    this.cookie.clear(reply);
  }
}
