import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { AccountRole } from '../session/access.js';
import { DomainPage } from './domains.response.js';
import { DomainsService } from './domains.service.js';
import { AccountId, By } from '../session/console-params.js';

@Controller('console/api/accounts/:account/domains/:domain')
@ApiTags('Domains')
export class DomainsController {
  constructor(private readonly service: DomainsService) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getDomain', summary: 'What is known of a domain, and what its score is made of' })
  @ApiOkResponse({ type: DomainPage })
  @ApiErrors('validation_failed')
  read(@Param('domain') domain: string): Promise<DomainPage> {
    return this.service.read(domain);
  }

  @Post('crawl')
  @AccountRole('member')
  @ApiOperation({ operationId: 'crawlDomain', summary: 'Crawl a domain now' })
  @ApiAnswer(202, { type: DomainPage })
  @ApiErrors('validation_failed', 'quota_exceeded')
  crawl(@AccountId() account: string, @Param('domain') domain: string, @By() actor: Actor): Promise<DomainPage> {
    return this.service.crawl(domain, account, actor);
  }
}
