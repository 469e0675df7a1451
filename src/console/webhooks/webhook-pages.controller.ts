import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiErrors } from '../../platform/openapi/api-answers.js';
import type { EndpointKey } from '../../webhooks/endpoints/endpoints.repository.js';
import { pathId } from '../path-id.js';
import { AccountRole } from '../session/access.js';
import { actorOf, consoleCallerOf } from '../session/console-caller.js';
import { WebhookPagesService } from './webhook-pages.service.js';
import { CreateConsoleWebhookRequest } from './webhooks.request.js';
import { PageRequest } from '../page.request.js';
import {
  NewWebhookEndpoint,
  OpenedWebhookDelivery,
  TestDelivery,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointList,
} from './webhooks.response.js';

@Controller('console/api/accounts/:account/webhooks')
@ApiTags('Webhooks')
export class WebhookPagesController {
  constructor(private readonly service: WebhookPagesService) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'Endpoints of the account' })
  @ApiOkResponse({ type: WebhookEndpointList })
  async list(@Req() request: FastifyRequest): Promise<WebhookEndpointList> {
    return { webhooks: await this.service.list(consoleCallerOf(request).account.id) };
  }

  @Post()
  @HttpCode(201)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'createWebhook', summary: 'Have events sent to a URL; the secret is shown once' })
  @ApiCreatedResponse({ type: NewWebhookEndpoint })
  @ApiErrors('quota_exceeded')
  create(@Req() request: FastifyRequest, @Body() body: CreateConsoleWebhookRequest): Promise<NewWebhookEndpoint> {
    return this.service.create(consoleCallerOf(request).account.id, body, actorOf(request));
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @AccountRole('developer')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret, which is shown once',
    description: 'For 24 hours deliveries are signed with the old one too.',
  })
  @ApiOkResponse({ type: NewWebhookEndpoint })
  rotate(@Req() request: FastifyRequest, @Param('id') id: string): Promise<NewWebhookEndpoint> {
    return this.service.rotate(endpointOf(request, id), actorOf(request));
  }

  @Post(':id/enable')
  @HttpCode(200)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'enableWebhook', summary: 'Send events again' })
  @ApiOkResponse({ type: WebhookEndpoint })
  enable(@Req() request: FastifyRequest, @Param('id') id: string): Promise<WebhookEndpoint> {
    return this.service.enable(endpointOf(request, id), actorOf(request));
  }

  @Post(':id/disable')
  @HttpCode(200)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'disableWebhook', summary: 'Send no events; those that wait count as failed' })
  @ApiOkResponse({ type: WebhookEndpoint })
  disable(@Req() request: FastifyRequest, @Param('id') id: string): Promise<WebhookEndpoint> {
    return this.service.disable(endpointOf(request, id), actorOf(request));
  }

  @Delete(':id')
  @HttpCode(204)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Remove an endpoint; events that wait for it are dropped' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  async delete(@Req() request: FastifyRequest, @Param('id') id: string): Promise<void> {
    await this.service.delete(endpointOf(request, id), actorOf(request));
  }

  @Post(':id/test')
  @HttpCode(202)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'sendTestWebhook', summary: 'Send a test event' })
  @ApiAcceptedResponse({ type: TestDelivery })
  @ApiErrors('conflict', 'quota_exceeded')
  async sendTest(@Req() request: FastifyRequest, @Param('id') id: string): Promise<TestDelivery> {
    return { delivery_id: await this.service.sendTest(endpointOf(request, id)) };
  }

  @Get(':id/deliveries')
  @AccountRole('viewer')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'What was sent, without anything that holds an address',
  })
  @ApiOkResponse({ type: WebhookDeliveryPage })
  deliveries(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query() query: PageRequest,
  ): Promise<WebhookDeliveryPage> {
    return this.service.page(endpointOf(request, id), query);
  }

  @Get(':id/deliveries/:delivery')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'openWebhookDelivery', summary: 'A delivery with what was sent and answered' })
  @ApiOkResponse({ type: OpenedWebhookDelivery })
  open(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<OpenedWebhookDelivery> {
    return this.service.open(endpointOf(request, id), pathId(delivery, 'delivery'));
  }

  @Post(':id/deliveries/:delivery/resend')
  @HttpCode(202)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'resendWebhookDelivery', summary: 'Send a delivery again, under the same id' })
  @ApiAcceptedResponse({ type: WebhookDelivery })
  @ApiErrors('conflict')
  resend(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<WebhookDelivery> {
    return this.service.resend(endpointOf(request, id), pathId(delivery, 'delivery'));
  }
}

function endpointOf(request: FastifyRequest, id: string): EndpointKey {
  return { accountId: consoleCallerOf(request).account.id, id: pathId(id, 'webhook endpoint') };
}
