import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { bodyOf, fieldsOf } from '../platform/http/request-input.js';
import { guardEventsRequest } from './events/guard-events.request.js';
import { nameIgnored } from './events/name-ignored.js';
import { GuardEventsService, type EventsOutcome } from './events/guard-events.service.js';

@Controller('v1/guard')
@UseGuards(ApiKeyGuard)
export class GuardController {
  constructor(private readonly service: GuardEventsService) {}

  /** Records what guards decided in forms. Free. */
  @Post('events')
  @HttpCode(202)
  @RouteConfig({ bodyFields: fieldsOf(guardEventsRequest) })
  record(@Req() request: FastifyRequest): Promise<EventsOutcome> {
    const { events } = bodyOf(request, guardEventsRequest);
    nameIgnored(request.context, events);
    return this.service.record(callerOf(request)!, events);
  }
}
