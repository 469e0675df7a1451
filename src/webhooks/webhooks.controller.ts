import { Body, Controller, Delete, Get, Param, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { AppError } from '../platform/errors/app-error.js';
import { noSuch, pathId } from '../platform/ids/path-id.js';
import { ApiAnswer, ApiErrors } from '../platform/openapi/api-answers.js';
import { CreateWebhookRequest } from './create-webhook.request.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { NEW_WEBHOOK, WEBHOOK_LIST, WEBHOOK_REQUESTS } from './webhooks.examples.js';
import { NewWebhookResponse, toWebhook, WebhookList } from './webhook.response.js';

/** Test keys manage the endpoints of test keys, live keys those of live ones. */
@Controller('v1/webhooks')
@UseGuards(ApiKeyGuard)
@ApiTags('Webhooks')
export class WebhooksController {
  constructor(private readonly endpoints: EndpointsService) {}

  @Post()
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Have events sent to a URL',
    description:
      'Free. An account has at most ten endpoints. A test key makes an endpoint for events of test keys, a live key one for those of live keys.',
  })
  @ApiBody({ type: CreateWebhookRequest, description: 'Unknown fields are ignored.', examples: WEBHOOK_REQUESTS })
  @ApiAnswer(200, { type: NewWebhookResponse, description: 'The endpoint and its secret.', examples: NEW_WEBHOOK })
  async create(@Req() request: FastifyRequest, @Body() body: CreateWebhookRequest): Promise<NewWebhookResponse> {
    const { accountId, mode, keyId } = callerOf(request)!;
    if ((body.mode ?? mode) !== mode) {
      throw new AppError('validation_failed', `mode must be ${mode}: a key makes endpoints of its own mode`);
    }
    const wanted = { mode, url: body.url, events: body.events, low: body.low ?? null };
    const { endpoint, secret } = await this.endpoints.create(accountId, wanted, actorOf(request, keyId));
    return { ...toWebhook(endpoint), secret };
  }

  @Get()
  @ApiOperation({ operationId: 'listWebhooks', summary: 'Endpoints of the account', description: 'Free.' })
  @ApiOkResponse({ type: WebhookList, description: 'Those of the mode of the key.', examples: WEBHOOK_LIST })
  async list(@Req() request: FastifyRequest): Promise<WebhookList> {
    const { accountId, mode } = callerOf(request)!;
    return { webhooks: (await this.endpoints.list(accountId, mode)).map(toWebhook) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Send nothing more to an endpoint',
    description: 'Free. Events that wait for it are dropped.',
  })
  @ApiParam({ name: 'id', description: 'The id of the endpoint.', schema: { type: 'string', format: 'uuid' } })
  @ApiAnswer(204, { description: 'It is gone.' })
  @ApiErrors('not_found')
  async delete(@Req() request: FastifyRequest, @Param('id') given: string): Promise<void> {
    const { accountId, mode, keyId } = callerOf(request)!;
    const key = { accountId, id: pathId(given, 'webhook endpoint') };
    if ((await this.endpoints.read(key)).mode !== mode) throw noSuch('webhook endpoint');
    await this.endpoints.delete(key, actorOf(request, keyId));
  }
}

function actorOf({ ip }: FastifyRequest, keyId: string) {
  return { name: `key:${keyId}`, address: ip };
}
