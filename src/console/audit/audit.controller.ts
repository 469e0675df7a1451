import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccountRole } from '../session/access.js';
import { PageRequest } from '../page.request.js';
import { AuditResponse } from './audit.response.js';
import { AuditService } from './audit.service.js';
import { AccountId } from '../session/console-params.js';

@Controller('console/api/accounts/:account/audit')
@ApiTags('Team')
export class AuditController {
  constructor(private readonly service: AuditService) {}

  @Get()
  @AccountRole('owner')
  @ApiOperation({ operationId: 'listAudit', summary: 'What was done to the account, by whom and from where' })
  @ApiOkResponse({ type: AuditResponse })
  list(@AccountId() account: string, @Query() query: PageRequest): Promise<AuditResponse> {
    return this.service.list(account, query);
  }
}
