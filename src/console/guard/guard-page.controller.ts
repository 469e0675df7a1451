import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { AccountRole } from '../session/access.js';
import { consoleCallerOf } from '../session/console-caller.js';
import { CreatePropertyRequest, GuardRequest } from './guard.request.js';
import { GuardPage, Property, PropertyList } from './guard.response.js';
import { GuardPageService } from './guard.service.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AccountId, By } from '../session/console-params.js';

@Controller('console/api/accounts/:account')
@ApiTags('Guard')
export class GuardPageController {
  constructor(private readonly service: GuardPageService) {}

  @Get('guard')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getGuard', summary: 'What guards reported, day by day' })
  @ApiOkResponse({ type: GuardPage })
  @ApiErrors('not_found')
  read(@Req() request: FastifyRequest, @Query() { days, property }: GuardRequest): Promise<GuardPage> {
    const { account, plan } = consoleCallerOf(request);
    return this.service.read(account.id, plan, days, property ?? null);
  }

  @Get('properties')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listProperties', summary: 'Sites and apps of the account' })
  @ApiOkResponse({ type: PropertyList })
  list(@AccountId() account: string): Promise<PropertyList> {
    return this.service.list(account);
  }

  @Post('properties')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'createProperty', summary: 'Make a property; its site key is public' })
  @ApiAnswer(201, { type: Property })
  @ApiErrors('quota_exceeded')
  create(@AccountId() account: string, @Body() { name }: CreatePropertyRequest, @By() actor: Actor): Promise<Property> {
    return this.service.create(account, name, actor);
  }
}
