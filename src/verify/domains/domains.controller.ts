import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../auth/api-key.guard.js';
import { callerOf } from '../../auth/caller.js';
import { DomainObject } from '../../domains/domain.response.js';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { sandboxDomain } from '../sandbox/sandbox-domain.js';
import { domainIn } from './domain-in.js';
import { DomainLookupService } from './domain-lookup.service.js';
import { LOOKUP_ANSWERS, LOOKUP_REQUESTS } from './domains.examples.js';
import { LookUpDomainRequest } from './look-up-domain.request.js';

@Controller('v1/domains')
@UseGuards(ApiKeyGuard)
@ApiTags('Domains')
export class DomainsController {
  constructor(private readonly service: DomainLookupService) {}

  /** What is known of a domain. Free. */
  @Post('lookup')
  @ApiOperation({
    operationId: 'lookUpDomain',
    summary: 'Look up what a domain publishes, and what it is worth',
    description:
      'Free. A domain that is not known is crawled while you wait, at most 8 seconds, as one of the crawls that the plan allows a day; parts that could not be found out are null.',
  })
  @ApiBody({
    type: LookUpDomainRequest,
    description: 'At most 256 KiB. Unknown fields are ignored.',
    examples: LOOKUP_REQUESTS,
  })
  @ApiAnswer(200, { type: DomainObject, description: 'What is known of it.', examples: LOOKUP_ANSWERS })
  @ApiErrors('verify_unavailable')
  async lookUp(@Req() request: FastifyRequest, @Body() body: LookUpDomainRequest): Promise<DomainObject> {
    const { accountId, mode } = callerOf(request)!;
    const domain = domainIn(body.domain);
    return mode === 'test' ? sandboxDomain(domain) : this.service.lookUp(domain, accountId);
  }
}
