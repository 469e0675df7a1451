import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import type { Delivery } from '../../webhooks/deliveries/deliveries.repository.js';
import { DeliveriesService } from '../../webhooks/deliveries/deliveries.service.js';
import type { EndpointKey } from '../../webhooks/endpoints/endpoints.repository.js';
import { EndpointsService, type Endpoint } from '../../webhooks/endpoints/endpoints.service.js';
import { noSuch } from '../path-id.js';
import { DailyTests } from './daily-tests.js';
import type { CreateConsoleWebhookRequest } from './webhooks.request.js';
import type { PageRequest } from '../page.request.js';
import type {
  NewWebhookEndpoint,
  OpenedWebhookDelivery,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
} from './webhooks.response.js';

/** The webhooks of an account, as its members manage them. */
@Injectable()
export class WebhookPagesService {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly tests: DailyTests,
  ) {}

  async list(accountId: string): Promise<WebhookEndpoint[]> {
    return (await this.endpoints.list(accountId)).map(toEndpoint);
  }

  async create(
    accountId: string,
    { url, events, mode, low }: CreateConsoleWebhookRequest,
    actor: Actor,
  ): Promise<NewWebhookEndpoint> {
    const wanted = { url, events, mode, low: low ?? null };
    const { endpoint, secret } = await this.endpoints.create(accountId, wanted, actor);
    return { ...toEndpoint(endpoint), secret };
  }

  async rotate(key: EndpointKey, actor: Actor): Promise<NewWebhookEndpoint> {
    const secret = await this.endpoints.rotate(key, actor);
    return { ...toEndpoint(await this.endpoints.read(key)), secret };
  }

  async enable(key: EndpointKey, actor: Actor): Promise<WebhookEndpoint> {
    return toEndpoint(await this.endpoints.enable(key, actor));
  }

  async disable(key: EndpointKey, actor: Actor): Promise<WebhookEndpoint> {
    return toEndpoint(await this.endpoints.disable(key, actor));
  }

  delete(key: EndpointKey, actor: Actor): Promise<void> {
    return this.endpoints.delete(key, actor);
  }

  /** @throws AppError `not_found`, `conflict`, `quota_exceeded` */
  async sendTest(key: EndpointKey): Promise<string> {
    await this.endpoints.read(key);
    await this.tests.count(key.accountId);
    return this.deliveries.sendTest(key);
  }

  async page(key: EndpointKey, { cursor, limit }: PageRequest): Promise<WebhookDeliveryPage> {
    const { deliveries, next } = await this.deliveries.page(key, cursor ?? null, limit);
    return { deliveries: deliveries.map(toDelivery), next };
  }

  async open({ accountId, id: endpointId }: EndpointKey, id: string): Promise<OpenedWebhookDelivery> {
    const opened = await this.deliveries.open({ accountId, id });
    if (opened.endpointId !== endpointId) throw noSuch('delivery');
    return { ...toDelivery(opened), body: opened.body, answer: opened.answer };
  }

  async resend(key: EndpointKey, id: string): Promise<WebhookDelivery> {
    await this.open(key, id);
    return toDelivery(await this.deliveries.resend({ accountId: key.accountId, id }));
  }
}

function toEndpoint(endpoint: Endpoint): WebhookEndpoint {
  const { id, url, events, mode, low, disabledAt, disabledBy, failingSince, createdAt } = endpoint;
  return {
    id,
    url,
    events,
    mode,
    low,
    disabled_at: disabledAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    failing_since: failingSince?.toISOString() ?? null,
    disabled_by: disabledBy,
  };
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
