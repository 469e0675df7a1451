import { Controller, Get, Post, Req, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../auth/api-key.guard.js';
import { callerOf } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ApiAnswer, ApiAnswerHeaders } from '../../platform/openapi/api-answers.js';
import { toCreditsStatus } from './credits-status.js';
import { CREDITS_EXAMPLE } from './credits.examples.js';
import { CreditsStatus } from './credits.response.js';
import { DecisionQuota } from '../decisions/decision-quota.js';
import './funds-headers.js';
import { fundsOf } from '../holds/request-funds.js';

@Controller('v1')
@UseGuards(ApiKeyGuard)
@ApiTags('Credits')
@ApiAnswerHeaders('X-Verify-Free-Remaining')
export class CreditsController {
  constructor(private readonly decisions: DecisionQuota) {}

  /** Balance, rate limit and allowances of the caller's account. Free. */
  @Post('credits')
  @RouteConfig({ billing: 'credits', mediaTypeOptional: true })
  @ApiOperation({
    operationId: 'getCredits',
    summary: 'Balance, rate limit and allowances',
    description: 'Free. GET answers the same.',
  })
  @ApiBody({
    required: false,
    description: 'None, `[]` or `{}`; a media type is needed only where there is one.',
    schema: { type: ['array', 'object'], items: {}, maxItems: 0 } as object,
  })
  @ApiAnswer(200, {
    type: CreditsStatus,
    description: 'What the account may ask for and pay with.',
    examples: { growth: { summary: 'A live key of the plan `growth`', value: CREDITS_EXAMPLE } },
  })
  read(@Req() request: FastifyRequest): Promise<CreditsStatus> {
    if (!saysNothing(request.body)) throw new AppError('validation_failed', 'the body must be empty, [] or {}');
    return this.status(request);
  }

  /** Alias that existing clients use. */
  @Get('credits')
  @ApiExcludeEndpoint()
  @RouteConfig({ billing: 'credits' })
  show(@Req() request: FastifyRequest): Promise<CreditsStatus> {
    return this.status(request);
  }

  private async status(request: FastifyRequest): Promise<CreditsStatus> {
    const caller = callerOf(request)!;
    const { funds } = await fundsOf(request);
    const decisionsUsed = await this.decisions.used(caller.accountId, funds.month);
    return toCreditsStatus(caller, funds, decisionsUsed, request.context.rateLimit);
  }
}

/** No body, `[]`, or an object with only unknown fields, which are ignored (decisions 1.3). */
function saysNothing(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return Array.isArray(body) ? body.length === 0 : typeof body === 'object';
}
