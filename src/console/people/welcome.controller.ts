import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { Anybody, SignedIn } from '../session/access.js';
import { clientOf } from '../session/client.js';
import type { ConsoleUser } from '../session/console-caller.js';
import { By, CurrentUser } from '../session/console-params.js';
import { SessionCookie } from '../session/session-cookie.js';
import { SignInResponse } from '../sign-in/sign-in.response.js';
import { answerSession } from '../sign-in/answer-session.js';
import { ReadLinkRequest, WelcomeRequest } from './welcome.request.js';
import { LinkResponse } from './welcome.response.js';
import { WelcomeService } from './welcome.service.js';

@Controller('console/api/welcome')
@ApiTags('Session')
export class WelcomeController {
  constructor(
    private readonly service: WelcomeService,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('read')
  @Anybody()
  @ApiOperation({ operationId: 'readLink', summary: 'What a one-time link is for' })
  @ApiAnswer(200, { type: LinkResponse })
  @ApiErrors('not_found')
  read(@Body() { token }: ReadLinkRequest): Promise<LinkResponse> {
    return this.service.read(token);
  }

  @Post()
  @Anybody()
  @ApiOperation({ operationId: 'useLink', summary: 'Choose a password on a one-time link, and sign in' })
  @ApiAnswer(200, { type: SignInResponse })
  @ApiErrors('not_found', 'too_many_attempts')
  async use(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: WelcomeRequest,
  ): Promise<SignInResponse> {
    return answerSession(this.cookie, reply, await this.service.choosePassword(body, clientOf(request)));
  }

  @Post('join')
  @SignedIn()
  @ApiOperation({ operationId: 'joinByLink', summary: 'Join the account that invites the signed-in user by a link' })
  @ApiAnswer(204, { description: 'The user is a member; the session has another token, and the others have ended.' })
  @ApiErrors('not_found', 'forbidden')
  async join(
    @CurrentUser() user: ConsoleUser,
    @By() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { token }: ReadLinkRequest,
  ): Promise<void> {
    answerSession(this.cookie, reply, await this.service.join(token, user, actor));
  }
}
