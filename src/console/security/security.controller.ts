import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/app-error.js';
import { isId } from '../../platform/ids/uuid.js';
import { ApiErrors } from '../../platform/openapi/api-answers.js';
import { ChangePasswordRequest, PasswordAndCodeRequest, PasswordRequest } from '../people/me.request.js';
import { SignedIn } from '../session/access.js';
import { clientOf } from '../session/client.js';
import { actorOf, consoleUserOf } from '../session/console-caller.js';
import { SessionCookie } from '../session/session-cookie.js';
import { SessionsService } from '../session/sessions.service.js';
import { answerSession } from '../sign-in/answer-session.js';
import { SecondFactor } from '../sign-in/second-factor.js';
import { CodeRequest } from '../sign-in/sign-in.request.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { SecurityService } from './security.service.js';
import { SessionsResponse } from './sessions.response.js';
import { RecoveryCodesResponse, TotpSecretResponse } from './totp.response.js';

/** Password, sessions and second factor of the signed-in user. */
@Controller('console/api/me')
@ApiTags('Me')
export class SecurityController {
  constructor(
    private readonly service: SecurityService,
    private readonly signIn: SignInService,
    private readonly secondFactor: SecondFactor,
    private readonly sessions: SessionsService,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('password')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ operationId: 'changePassword', summary: 'Change the password; all other sessions end' })
  @ApiNoContentResponse({ description: 'It is changed.' })
  @ApiErrors('sign_in_failed', 'conflict', 'too_many_attempts')
  async changePassword(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: ChangePasswordRequest,
  ): Promise<void> {
    const user = consoleUserOf(request);
    const client = clientOf(request);
    await this.signIn.confirm(user, { password: body.current_password }, client);
    answerSession(this.cookie, reply, await this.service.changePassword(user, body.new_password, client));
  }

  @Get('sessions')
  @SignedIn()
  @ApiOperation({ operationId: 'listSessions', summary: 'The browsers that are signed in' })
  @ApiOkResponse({ type: SessionsResponse })
  listSessions(@Req() request: FastifyRequest): Promise<SessionsResponse> {
    return this.service.listSessions(consoleUserOf(request));
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ operationId: 'endSession', summary: 'Sign a browser out' })
  @ApiNoContentResponse({ description: 'It has ended.' })
  @ApiErrors('not_found')
  async endSession(@Req() request: FastifyRequest, @Param('id') given: string): Promise<void> {
    const id = given.toLowerCase();
    if (!isId(id) || !(await this.sessions.end(consoleUserOf(request).id, id))) {
      throw new AppError('not_found', 'There is no such session.');
    }
  }

  @Post('sessions/end-others')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ operationId: 'endOtherSessions', summary: 'Sign all other browsers out' })
  @ApiNoContentResponse({ description: 'They have ended.' })
  async endOthers(@Req() request: FastifyRequest): Promise<void> {
    const { id, sessionId } = consoleUserOf(request);
    await this.sessions.endOthers(id, sessionId);
  }

  @Post('totp')
  @HttpCode(200)
  @SignedIn()
  @ApiOperation({
    operationId: 'offerTotp',
    summary: 'A secret for an authenticator app; its first code switches it on',
  })
  @ApiOkResponse({ type: TotpSecretResponse })
  @ApiErrors('sign_in_failed', 'conflict', 'too_many_attempts')
  async offerTotp(@Req() request: FastifyRequest, @Body() body: PasswordRequest): Promise<TotpSecretResponse> {
    const user = consoleUserOf(request);
    await this.signIn.confirm(user, body, clientOf(request));
    return this.secondFactor.offer(user);
  }

  @Post('totp/confirm')
  @HttpCode(200)
  @SignedIn()
  @ApiOperation({ operationId: 'confirmTotp', summary: 'Switch authentication codes on' })
  @ApiOkResponse({ type: RecoveryCodesResponse })
  @ApiErrors('sign_in_failed', 'conflict')
  async confirmTotp(@Req() request: FastifyRequest, @Body() { code }: CodeRequest): Promise<RecoveryCodesResponse> {
    return { recovery_codes: await this.secondFactor.switchOn(consoleUserOf(request), code, actorOf(request)) };
  }

  @Delete('totp')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ operationId: 'switchTotpOff', summary: 'Switch authentication codes off' })
  @ApiNoContentResponse({ description: 'They are off.' })
  @ApiErrors('sign_in_failed', 'conflict', 'too_many_attempts')
  async switchTotpOff(@Req() request: FastifyRequest, @Body() body: PasswordAndCodeRequest): Promise<void> {
    const user = consoleUserOf(request);
    await this.signIn.confirm(user, body, clientOf(request));
    await this.secondFactor.switchOff(user, actorOf(request));
  }
}
