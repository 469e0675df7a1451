import { Controller, Get, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SignedIn } from '../session/access.js';
import { consoleUserOf } from '../session/console-caller.js';
import { MeResponse } from './me.response.js';
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
}
