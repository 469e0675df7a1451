import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import type { EndpointKey } from '../../webhooks/endpoints/endpoints.repository.js';
import { pathId } from '../path-id.js';
import { AccountRole } from '../session/access.js';
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
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AccountId, By } from '../session/console-params.js';

@Controller('console/api/accounts/:account/webhooks')
@ApiTags('Webhooks')
export class WebhookPagesController {
  constructor(private readonly service: WebhookPagesService) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'Endpoints of the account' })
  @ApiOkResponse({ type: WebhookEndpointList })
  async list(@AccountId() account: string): Promise<WebhookEndpointList> {
    return { webhooks: await this.service.list(account) };
  }

  @Post()
  @AccountRole('developer')
  @ApiOperation({ operationId: 'createWebhook', summary: 'Have events sent to a URL; the secret is shown once' })
  @ApiAnswer(201, { type: NewWebhookEndpoint })
  @ApiErrors('quota_exceeded')
  create(
    @AccountId() account: string,
    @Body() body: CreateConsoleWebhookRequest,
    @By() actor: Actor,
  ): Promise<NewWebhookEndpoint> {
    return this.service.create(account, body, actor);
  }

  @Post(':id/rotate')
  @AccountRole('developer')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret, which is shown once',
    description: 'For 24 hours deliveries are signed with the old one too.',
  })
  @ApiAnswer(200, { type: NewWebhookEndpoint })
  rotate(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<NewWebhookEndpoint> {
    return this.service.rotate(endpointOf(account, id), actor);
  }

  @Post(':id/enable')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'enableWebhook', summary: 'Send events again' })
  @ApiAnswer(200, { type: WebhookEndpoint })
  enable(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<WebhookEndpoint> {
    return this.service.enable(endpointOf(account, id), actor);
  }

  @Post(':id/disable')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'disableWebhook', summary: 'Send no events; those that wait count as failed' })
  @ApiAnswer(200, { type: WebhookEndpoint })
  disable(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<WebhookEndpoint> {
    return this.service.disable(endpointOf(account, id), actor);
  }

  @Delete(':id')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Remove an endpoint; events that wait for it are dropped' })
  @ApiAnswer(204, { description: 'It is gone.' })
  async delete(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<void> {
    await this.service.delete(endpointOf(account, id), actor);
  }

  @Post(':id/test')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'sendTestWebhook', summary: 'Send a test event' })
  @ApiAnswer(202, { type: TestDelivery })
  @ApiErrors('conflict', 'quota_exceeded')
  async sendTest(@AccountId() account: string, @Param('id') id: string): Promise<TestDelivery> {
    return { delivery_id: await this.service.sendTest(endpointOf(account, id)) };
  }

  @Get(':id/deliveries')
  @AccountRole('viewer')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'What was sent, without anything that holds an address',
  })
  @ApiOkResponse({ type: WebhookDeliveryPage })
  deliveries(
    @AccountId() account: string,
    @Param('id') id: string,
    @Query() query: PageRequest,
  ): Promise<WebhookDeliveryPage> {
    return this.service.page(endpointOf(account, id), query);
  }

  @Get(':id/deliveries/:delivery')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'openWebhookDelivery', summary: 'A delivery with what was sent and answered' })
  @ApiOkResponse({ type: OpenedWebhookDelivery })
  open(
    @AccountId() account: string,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<OpenedWebhookDelivery> {
    return this.service.open(endpointOf(account, id), pathId(delivery, 'delivery'));
  }

  @Post(':id/deliveries/:delivery/resend')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'resendWebhookDelivery', summary: 'Send a delivery again, under the same id' })
  @ApiAnswer(202, { type: WebhookDelivery })
  @ApiErrors('conflict')
  resend(
    @AccountId() account: string,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<WebhookDelivery> {
    return this.service.resend(endpointOf(account, id), pathId(delivery, 'delivery'));
  }
}

function endpointOf(accountId: string, id: string): EndpointKey {
  return { accountId, id: pathId(id, 'webhook endpoint') };
}
