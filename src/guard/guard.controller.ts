import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { GuardEventRequest } from './events/guard-event.request.js';
import { REPORT_ANSWERS, REPORTS } from './events/guard-events.examples.js';
import { GuardEventsRequest } from './events/guard-events.request.js';
import { nameIgnored } from './events/name-ignored.js';
import { GuardEventsResponse } from './events/guard-events.response.js';
import { GuardEventsService } from './events/guard-events.service.js';
import { ApiAnswer } from '../platform/openapi/api-answers.js';

@Controller('v1/guard')
@UseGuards(ApiKeyGuard)
@ApiTags('Guard')
export class GuardController {
  constructor(private readonly service: GuardEventsService) {}

  /** Records what guards decided in forms. Free. */
  @Post('events')
  @ApiOperation({
    operationId: 'recordGuardEvents',
    summary: 'Record what guards decided',
    description: 'Free. Malformed events are dropped and counted; when none is well-formed, that is a 422.',
  })
  @ApiExtraModels(GuardEventRequest)
  @ApiBody({ type: GuardEventsRequest, description: 'At most 256 KiB.', examples: REPORTS })
  @ApiAnswer(202, {
    type: GuardEventsResponse,
    description: 'What became of the events.',
    examples: REPORT_ANSWERS,
  })
  record(@Req() request: FastifyRequest, @Body() { events }: GuardEventsRequest): Promise<GuardEventsResponse> {
    nameIgnored(request.context, events);
    return this.service.record(callerOf(request)!, events);
  }
}
