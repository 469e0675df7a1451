import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AccountRole } from '../session/access.js';
import { consoleCallerOf } from '../session/console-caller.js';
import { OverviewRequest } from './overview.request.js';
import { Overview } from './overview.response.js';
import { OverviewService } from './overview.service.js';

@Controller('console/api/accounts/:account/overview')
@ApiTags('Overview')
export class OverviewController {
  constructor(private readonly service: OverviewService) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getOverview', summary: 'What the account has, and what it used' })
  @ApiOkResponse({ type: Overview })
  read(@Req() request: FastifyRequest, @Query() { days }: OverviewRequest): Promise<Overview> {
    const { account, plan } = consoleCallerOf(request);
    return this.service.read(account, plan, days);
  }
}
