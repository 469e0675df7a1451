import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppError } from '../../platform/errors/app-error.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { TextSealer } from '../../platform/sealing/text-sealer.js';
import type { EndpointKey } from '../endpoints/endpoints.repository.js';
import { EndpointsService } from '../endpoints/endpoints.service.js';
import { WebhookDeliveryProducer } from '../outbox/webhook-delivery.queue.js';
import { deliveryContext } from '../sealing-contexts.js';
import { DeliveriesRepository, type Delivery, type DeliveryKey } from './deliveries.repository.js';

/** A delivery with the text that is sent and the beginning of the last answer; null: erased, or there was none. */
export interface OpenedDelivery extends Delivery {
  readonly body: string | null;
  readonly answer: string | null;
}

/** What was sent to the endpoints of an account, for the console and commands. */
@Injectable()
export class DeliveriesService {
  /** @param queue null: for commands; the worker finds what is due within seconds */
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsService,
    private readonly sealer: TextSealer,
    @Inject(WebhookDeliveryProducer) private readonly queue: Pick<WebhookDeliveryProducer, 'queueEndpoints'> | null,
  ) {}

  /**
   * A page of an endpoint's deliveries, newest first, without anything that could contain an address.
   * @param cursor `next` of the page before; null: the first page
   * @throws AppError `not_found`
   */
  async page(
    endpoint: EndpointKey,
    cursor: string | null,
    limit: number,
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }> {
    await this.endpoints.read(endpoint);
    const found = await this.deliveries.page(endpoint, cursor, limit + 1);
    const deliveries = found.slice(0, limit);
    return { deliveries, next: found.length > limit ? deliveries.at(-1)!.id : null };
  }

  /** What was sent and answered may contain addresses. @throws AppError `not_found` */
  async open(key: DeliveryKey): Promise<OpenedDelivery> {
    const found = await this.deliveries.find(key);
    if (found === null) throw noSuch('delivery');
    const context = deliveryContext(key.id);
    const open = (sealed: Buffer | null): string | null => sealed && this.sealer.open(sealed, context);
    return { ...found, body: open(found.body), answer: open(found.answer) };
  }

  /**
   * Sends it again, with the same id, as if it were new.
   * @throws AppError `not_found`; `conflict` if its body is erased or its endpoint is off
   */
  async resend(key: DeliveryKey, actor: Actor): Promise<Delivery> {
    const outcome = await this.deliveries.resend(key, actor);
    if (outcome === 'missing') throw noSuch('delivery');
    if (outcome === 'erased') throw new AppError('conflict', 'What was sent is erased after 7 days.');
    if (outcome === 'off') throw endpointIsOff();
    const delivery = await this.deliveries.find(key);
    if (delivery === null) throw noSuch('delivery');
    this.queue?.queueEndpoints([{ endpointId: delivery.endpointId, accountId: key.accountId }]);
    const { body: _body, answer: _answer, ...shown } = delivery;
    return shown;
  }

  /**
   * Sends an event `webhook.test`.
   * @returns the id of the delivery
   * @throws AppError `not_found`; `conflict` if the endpoint is off
   */
  async sendTest(key: EndpointKey, actor: Actor): Promise<string> {
    const { id: endpointId, accountId, disabledAt } = await this.endpoints.read(key);
    if (disabledAt !== null) throw endpointIsOff();
    const id = await this.deliveries.insertTest({ endpointId, accountId }, actor);
    this.queue?.queueEndpoints([{ endpointId, accountId }]);
    return id;
  }
}

function endpointIsOff(): AppError {
  return new AppError('conflict', 'The endpoint is off; switch it on first.');
}
