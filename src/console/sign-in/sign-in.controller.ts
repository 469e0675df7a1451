import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiErrors } from '../../platform/openapi/api-answers.js';
import { Anybody, HalfSession, SignedIn } from '../session/access.js';
import { clientOf } from '../session/client.js';
import { consoleUserOf } from '../session/console-caller.js';
import { SessionCookie } from '../session/session-cookie.js';
import { SessionsService } from '../session/sessions.service.js';
import { answerSession } from './answer-session.js';
import { SignInMetrics } from './sign-in-metrics.js';
import { CodeRequest, SignInRequest } from './sign-in.request.js';
import { SignInResponse } from './sign-in.response.js';
import { SignInService } from './sign-in.service.js';

@Controller('console/api')
@ApiTags('Session')
export class SignInController {
  constructor(
    private readonly service: SignInService,
    private readonly sessions: SessionsService,
    private readonly cookie: SessionCookie,
    private readonly metrics: SignInMetrics,
  ) {}

  @Post('sign-in')
  @HttpCode(200)
  @Anybody()
  @ApiOperation({ operationId: 'signIn', summary: 'Begin a session by email and password' })
  @ApiOkResponse({ type: SignInResponse })
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
  @HttpCode(200)
  @HalfSession()
  @ApiOperation({ operationId: 'enterCode', summary: 'The second step of a sign-in: an authentication code' })
  @ApiOkResponse({ type: SignInResponse })
  @ApiErrors('sign_in_failed')
  async enterCode(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { code }: CodeRequest,
  ): Promise<SignInResponse> {
    const entering = this.service.enterCode(consoleUserOf(request), code, clientOf(request));
    return answerSession(this.cookie, reply, await this.metrics.count('code', entering));
  }

  @Post('sign-out')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ operationId: 'signOut', summary: 'End the session' })
  @ApiNoContentResponse({ description: 'It has ended.' })
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const { id, sessionId } = consoleUserOf(request);
    await this.sessions.end(id, sessionId);
    this.cookie.clear(reply);
  }
}
