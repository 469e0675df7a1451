import { Body, Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noSuch, pathId } from '../../platform/ids/path-id.js';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { ChangePasswordRequest, PasswordAndCodeRequest, PasswordRequest } from '../people/me.request.js';
import { SignedIn } from '../session/access.js';
import { clientOf } from '../session/client.js';
import { actorOf, consoleUserOf, type ConsoleUser } from '../session/console-caller.js';
import { SessionCookie } from '../session/session-cookie.js';
import type { SessionEntity } from '../session/session.entity.js';
import { SessionRepository } from '../session/session.repository.js';
import { answerSession } from '../sign-in/answer-session.js';
import { SecondFactor } from '../sign-in/second-factor.js';
import { CodeRequest } from '../sign-in/sign-in.request.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { SessionsResponse, type SessionResponse } from './sessions.response.js';
import { RecoveryCodesResponse, TotpSecretResponse } from './totp.response.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { By, CurrentUser } from '../session/console-params.js';

/** Password, sessions and second factor of the signed-in user. */
@Controller('console/api/me')
@ApiTags('Me')
export class SecurityController {
  constructor(
    private readonly signIn: SignInService,
    private readonly secondFactor: SecondFactor,
    private readonly sessions: SessionRepository,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('password')
  @SignedIn()
  @ApiOperation({ operationId: 'changePassword', summary: 'Change the password; all other sessions end' })
  @ApiAnswer(204, { description: 'It is changed.' })
  @ApiErrors('sign_in_failed', 'conflict', 'too_many_attempts')
  async changePassword(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: ChangePasswordRequest,
  ): Promise<void> {
    const begun = await this.signIn.changePassword(consoleUserOf(request), body, clientOf(request));
    answerSession(this.cookie, reply, begun);
  }

  @Get('sessions')
  @SignedIn()
  @ApiOperation({ operationId: 'listSessions', summary: 'The browsers that are signed in' })
  @ApiOkResponse({ type: SessionsResponse })
  async listSessions(@CurrentUser() { id, sessionId }: ConsoleUser): Promise<SessionsResponse> {
    return { sessions: (await this.sessions.listOf(id)).map((session) => toSession(session, sessionId)) };
  }

  @Delete('sessions/:id')
  @SignedIn()
  @ApiOperation({ operationId: 'endSession', summary: 'Sign a browser out' })
  @ApiAnswer(204, { description: 'It has ended.' })
  @ApiErrors('not_found')
  async endSession(@CurrentUser() { id }: ConsoleUser, @Param('id') given: string, @By() actor: Actor): Promise<void> {
    const act = { actor, action: 'user.end-session' } as const;
    if (!(await this.sessions.end(id, pathId(given, 'session'), act))) throw noSuch('session');
  }

  @Post('sessions/end-others')
  @SignedIn()
  @ApiOperation({ operationId: 'endOtherSessions', summary: 'Sign all other browsers out' })
  @ApiAnswer(204, { description: 'They have ended.' })
  async endOthers(@CurrentUser() { id, sessionId }: ConsoleUser, @By() actor: Actor): Promise<void> {
    await this.sessions.endOthers(id, sessionId, actor);
  }

  @Post('totp')
  @SignedIn()
  @ApiOperation({
    operationId: 'offerTotp',
    summary: 'A secret for an authenticator app; its first code switches it on',
  })
  @ApiAnswer(200, { type: TotpSecretResponse })
  @ApiErrors('sign_in_failed', 'conflict', 'too_many_attempts')
  async offerTotp(@Req() request: FastifyRequest, @Body() body: PasswordRequest): Promise<TotpSecretResponse> {
    const user = consoleUserOf(request);
    await this.signIn.confirm(user, body, clientOf(request));
    return this.secondFactor.offer(user);
  }

  @Post('totp/confirm')
  @SignedIn()
  @ApiOperation({ operationId: 'confirmTotp', summary: 'Switch authentication codes on' })
  @ApiAnswer(200, { type: RecoveryCodesResponse })
  @ApiErrors('sign_in_failed', 'conflict')
  async confirmTotp(
    @CurrentUser() user: ConsoleUser,
    @Body() { code }: CodeRequest,
    @By() actor: Actor,
  ): Promise<RecoveryCodesResponse> {
    return { recovery_codes: await this.secondFactor.switchOn(user, code, actor) };
  }

  @Delete('totp')
  @SignedIn()
  @ApiOperation({ operationId: 'switchTotpOff', summary: 'Switch authentication codes off' })
  @ApiAnswer(204, { description: 'They are off.' })
  @ApiErrors('sign_in_failed', 'conflict', 'too_many_attempts')
  async switchTotpOff(@Req() request: FastifyRequest, @Body() body: PasswordAndCodeRequest): Promise<void> {
    const user = consoleUserOf(request);
    await this.signIn.confirm(user, body, clientOf(request));
    await this.secondFactor.switchOff(user, actorOf(request));
  }
}

function toSession(session: SessionEntity, currentId: string): SessionResponse {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    address: session.address,
    user_agent: session.userAgent,
    current: session.id === currentId,
  };
}
