import { Body, Controller, Get, Patch, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SignedIn } from '../session/access.js';
import { actorOf, consoleUserOf } from '../session/console-caller.js';
import { ChangeMeRequest } from './me.request.js';
import { MeResponse, UserResponse } from './me.response.js';
import { MeService } from './me.service.js';

@Controller('console/api/me')
@ApiTags('Me')
export class MeController {
  constructor(private readonly service: MeService) {}

  @Get()
  @SignedIn()
  @ApiOperation({ operationId: 'getMe', summary: 'Who is signed in, and the accounts they are a member of' })
  @ApiOkResponse({ type: MeResponse })
  read(@Req() request: FastifyRequest): Promise<MeResponse> {
    return this.service.read(consoleUserOf(request).id);
  }

  @Patch()
  @SignedIn()
  @ApiOperation({ operationId: 'changeMe', summary: 'Change the name' })
  @ApiOkResponse({ type: UserResponse })
  change(@Req() request: FastifyRequest, @Body() body: ChangeMeRequest): Promise<UserResponse> {
    return this.service.change(consoleUserOf(request).id, body, actorOf(request));
  }
}
