import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiErrors } from '../../platform/openapi/api-answers.js';
import { AccountRole } from '../session/access.js';
import { actorOf, consoleCallerOf } from '../session/console-caller.js';
import { CreatePropertyRequest, GuardRequest } from './guard.request.js';
import { GuardPage, Property, PropertyList } from './guard.response.js';
import { GuardPageService } from './guard.service.js';

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
  list(@Req() request: FastifyRequest): Promise<PropertyList> {
    return this.service.list(consoleCallerOf(request).account.id);
  }

  @Post('properties')
  @HttpCode(201)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'createProperty', summary: 'Make a property; its site key is public' })
  @ApiCreatedResponse({ type: Property })
  @ApiErrors('quota_exceeded')
  create(@Req() request: FastifyRequest, @Body() { name }: CreatePropertyRequest): Promise<Property> {
    return this.service.create(consoleCallerOf(request).account.id, name, actorOf(request));
  }
}
