import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AccountRole } from '../session/access.js';
import { consoleCallerOf } from '../session/console-caller.js';
import { PageRequest } from '../page.request.js';
import { AuditResponse } from './audit.response.js';
import { AuditService } from './audit.service.js';

@Controller('console/api/accounts/:account/audit')
@ApiTags('Team')
export class AuditController {
  constructor(private readonly service: AuditService) {}

  @Get()
  @AccountRole('owner')
  @ApiOperation({ operationId: 'listAudit', summary: 'What was done to the account, by whom and from where' })
  @ApiOkResponse({ type: AuditResponse })
  list(@Req() request: FastifyRequest, @Query() query: PageRequest): Promise<AuditResponse> {
    return this.service.list(consoleCallerOf(request).account.id, query);
  }
}
