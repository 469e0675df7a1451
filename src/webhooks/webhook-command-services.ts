import { AccountRepository } from '../auth/account.repository.js';
import type { CommandContext } from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import { TextSealer } from '../platform/sealing/text-sealer.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { EndpointsRepository, type EndpointKey } from './endpoints/endpoints.repository.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { OutboxRepository } from './outbox/outbox.repository.js';

export interface WebhookCommandServices {
  readonly accounts: AccountRepository;
  readonly endpoints: EndpointsService;
  readonly deliveries: DeliveriesService;
  /** @throws CommandError if there is no such endpoint */
  readonly keyOf: (endpointId: string) => Promise<EndpointKey>;
  readonly accountOfDelivery: (deliveryId: string) => Promise<string | null>;
}

/** The services without a queue: a worker finds what is due within seconds. */
export async function webhookCommandServices(context: CommandContext): Promise<WebhookCommandServices> {
  const [{ config, secrets }, database] = await Promise.all([context.settings(), context.database()]);
  const sealer = new TextSealer(secrets.addressKeys);
  const rows = new EndpointsRepository(database);
  const endpoints = new EndpointsService(rows, sealer, config);
  const deliveries = new DeliveriesRepository(database, new OutboxRepository(sealer));
  return {
    accounts: new AccountRepository(database),
    endpoints,
    deliveries: new DeliveriesService(deliveries, endpoints, sealer, null),
    keyOf: async (id) => {
      const found = await rows.findById(id);
      if (found === null) {
        throw new CommandError(
          `no webhook has this id. To see them, type: ${context.programName} webhook list ACCOUNT`,
        );
      }
      return { id, accountId: found.accountId };
    },
    accountOfDelivery: (id) => deliveries.accountOf(id),
  };
}
