import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { GuardEventsRequest } from './events/guard-events.request.js';
import { nameIgnored } from './events/name-ignored.js';
import { GuardEventsService, type EventsOutcome } from './events/guard-events.service.js';

@Controller('v1/guard')
@UseGuards(ApiKeyGuard)
export class GuardController {
  constructor(private readonly service: GuardEventsService) {}

  /** Records what guards decided in forms. Free. */
  @Post('events')
  @HttpCode(202)
  record(@Req() request: FastifyRequest, @Body() { events }: GuardEventsRequest): Promise<EventsOutcome> {
    nameIgnored(request.context, events);
    return this.service.record(callerOf(request)!, events);
  }
}
