import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import type { EndpointKey } from '../../webhooks/endpoints/endpoints.repository.js';
import { noSuch, pathId } from '../../platform/ids/path-id.js';
import { AccountRole } from '../session/access.js';
import type { Delivery } from '../../webhooks/deliveries/deliveries.repository.js';
import { DeliveriesService, type OpenedDelivery } from '../../webhooks/deliveries/deliveries.service.js';
import { EndpointsService, type Endpoint } from '../../webhooks/endpoints/endpoints.service.js';
import { toWebhook } from '../../webhooks/webhook.response.js';
import { DailyTests } from './daily-tests.js';
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
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly tests: DailyTests,
  ) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'Endpoints of the account' })
  @ApiOkResponse({ type: WebhookEndpointList })
  async list(@AccountId() account: string): Promise<WebhookEndpointList> {
    return { webhooks: (await this.endpoints.list(account)).map(toEndpoint) };
  }

  @Post()
  @AccountRole('developer')
  @ApiOperation({ operationId: 'createWebhook', summary: 'Have events sent to a URL; the secret is shown once' })
  @ApiAnswer(201, { type: NewWebhookEndpoint })
  @ApiErrors('quota_exceeded')
  async create(
    @AccountId() account: string,
    @Body() { url, events, mode, low = null }: CreateConsoleWebhookRequest,
    @By() actor: Actor,
  ): Promise<NewWebhookEndpoint> {
    const { endpoint, secret } = await this.endpoints.create(account, { url, events, mode, low }, actor);
    return { ...toEndpoint(endpoint), secret };
  }

  @Post(':id/rotate')
  @AccountRole('developer')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret, which is shown once',
    description: 'For 24 hours deliveries are signed with the old one too.',
  })
  @ApiAnswer(200, { type: NewWebhookEndpoint })
  async rotate(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<NewWebhookEndpoint> {
    const key = endpointOf(account, id);
    const secret = await this.endpoints.rotate(key, actor);
    return { ...toEndpoint(await this.endpoints.read(key)), secret };
  }

  @Post(':id/enable')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'enableWebhook', summary: 'Send events again' })
  @ApiAnswer(200, { type: WebhookEndpoint })
  async enable(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<WebhookEndpoint> {
    return toEndpoint(await this.endpoints.enable(endpointOf(account, id), actor));
  }

  @Post(':id/disable')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'disableWebhook', summary: 'Send no events; those that wait count as failed' })
  @ApiAnswer(200, { type: WebhookEndpoint })
  async disable(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<WebhookEndpoint> {
    return toEndpoint(await this.endpoints.disable(endpointOf(account, id), actor));
  }

  @Delete(':id')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Remove an endpoint; events that wait for it are dropped' })
  @ApiAnswer(204, { description: 'It is gone.' })
  async delete(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<void> {
    await this.endpoints.delete(endpointOf(account, id), actor);
  }

  @Post(':id/test')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'sendTestWebhook', summary: 'Send a test event' })
  @ApiAnswer(202, { type: TestDelivery })
  @ApiErrors('conflict', 'quota_exceeded')
  async sendTest(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<TestDelivery> {
    const key = endpointOf(account, id);
    await this.endpoints.read(key);
    await this.tests.count(account);
    return { delivery_id: await this.deliveries.sendTest(key, actor) };
  }

  @Get(':id/deliveries')
  @AccountRole('viewer')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'What was sent, without anything that holds an address',
  })
  @ApiOkResponse({ type: WebhookDeliveryPage })
  async page(
    @AccountId() account: string,
    @Param('id') id: string,
    @Query() { cursor, limit }: PageRequest,
  ): Promise<WebhookDeliveryPage> {
    const { deliveries, next } = await this.deliveries.page(endpointOf(account, id), cursor ?? null, limit);
    return { deliveries: deliveries.map(toDelivery), next };
  }

  @Get(':id/deliveries/:delivery')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'openWebhookDelivery', summary: 'A delivery with what was sent and answered' })
  @ApiOkResponse({ type: OpenedWebhookDelivery })
  async open(
    @AccountId() account: string,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<OpenedWebhookDelivery> {
    const opened = await this.find(endpointOf(account, id), pathId(delivery, 'delivery'));
    return { ...toDelivery(opened), body: opened.body, answer: opened.answer };
  }

  @Post(':id/deliveries/:delivery/resend')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'resendWebhookDelivery', summary: 'Send a delivery again, under the same id' })
  @ApiAnswer(202, { type: WebhookDelivery })
  @ApiErrors('conflict')
  async resend(
    @AccountId() account: string,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
    @By() actor: Actor,
  ): Promise<WebhookDelivery> {
    const found = await this.find(endpointOf(account, id), pathId(delivery, 'delivery'));
    return toDelivery(await this.deliveries.resend({ accountId: account, id: found.id }, actor));
  }

  /** @throws AppError `not_found` for a delivery of another endpoint, too */
  private async find({ accountId, id: endpointId }: EndpointKey, id: string): Promise<OpenedDelivery> {
    const opened = await this.deliveries.open({ accountId, id });
    if (opened.endpointId !== endpointId) throw noSuch('delivery');
    return opened;
  }
}

function endpointOf(accountId: string, id: string): EndpointKey {
  return { accountId, id: pathId(id, 'webhook endpoint') };
}

function toEndpoint(endpoint: Endpoint): WebhookEndpoint {
  const { failingSince, disabledBy } = endpoint;
  return { ...toWebhook(endpoint), failing_since: failingSince?.toISOString() ?? null, disabled_by: disabledBy };
}

function toDelivery(delivery: Delivery): WebhookDelivery {
  const { id, type, state, attempts, status, fault, tookMs, createdAt, attemptedAt, dueAt, isErased } = delivery;
  return {
    id,
    type,
    state,
    attempts,
    status,
    fault,
    took_ms: tookMs,
    created_at: createdAt.toISOString(),
    attempted_at: attemptedAt?.toISOString() ?? null,
    due_at: dueAt?.toISOString() ?? null,
    erased: isErased,
  };
}
