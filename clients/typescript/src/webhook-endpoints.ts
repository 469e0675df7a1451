import type { CallOptions, Connection } from './connection.js';
import type { CreateWebhookRequest, NewWebhook, Webhook, WebhookList } from './types.js';

const PATH = '/v1/webhooks';

/** URLs that get webhooks: those of a test key get sandbox events, those of a live key live ones. */
export class WebhookEndpoints {
  constructor(private readonly connection: Connection) {}

  /** The answer holds the secret, which is shown this once. A call whose answer was lost is not repeated. */
  async create(request: CreateWebhookRequest, options: CallOptions = {}): Promise<NewWebhook> {
    const call = { method: 'POST', path: PATH, json: request, repeatable: 'if-refused' } as const;
    return (await this.connection.send<NewWebhook>(call, options)).body;
  }

  async list(options: CallOptions = {}): Promise<readonly Webhook[]> {
    const call = { method: 'GET', path: PATH, repeatable: 'yes' } as const;
    return (await this.connection.send<WebhookList>(call, options)).body.webhooks;
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const call = { method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}`, repeatable: 'yes' } as const;
    await this.connection.send(call, options);
  }
}
