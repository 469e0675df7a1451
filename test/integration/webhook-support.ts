import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { newId } from '../../src/platform/ids/uuid.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { EndpointsService, type WantedEndpoint } from '../../src/webhooks/endpoints/endpoints.service.js';
import { OutboxRepository, type OutboxEvent } from '../../src/webhooks/outbox/outbox.repository.js';
import { WebhookDeliveryProducer } from '../../src/webhooks/outbox/webhook-delivery.queue.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver, type Answer } from '../support/webhook-receiver.js';
import { createApi } from '../../src/roles/api.js';
import { makeAccount } from './billing-support.js';

const ACTOR = 'test';

/** A database, a Redis, an API that is not asked but has every service, and workers. */
export class WebhookBench {
  readonly logged: string[] = [];
  private readonly apps: NestFastifyApplication[] = [];
  private readonly receivers: WebhookReceiver[] = [];

  private constructor(
    readonly database: MigratedDatabase,
    readonly redis: TestRedis,
    readonly api: NestFastifyApplication,
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<WebhookBench> {
    const [database, redis] = await Promise.all([createMigratedDatabase(), claimTestRedis()]);
    return WebhookBench.on(database, redis, env);
  }

  /** Another API process on the same servers; its `close` leaves them. */
  static async beside({
    database,
    redis,
  }: WebhookBench): Promise<{ api: NestFastifyApplication; close(): Promise<void> }> {
    const { api } = await WebhookBench.on(database, redis, {});
    return { api, close: () => api.close() };
  }

  private static async on(database: MigratedDatabase, redis: TestRedis, env: NodeJS.ProcessEnv): Promise<WebhookBench> {
    const settings = loadConfig('api', envOf(database, redis, env));
    const api = await createApi(settings, createLog('silent'));
    await api.init();
    return new WebhookBench(database, redis, api);
  }

  get endpoints(): EndpointsService {
    return this.api.get(EndpointsService, { strict: false });
  }

  get deliveries(): DeliveriesService {
    return this.api.get(DeliveriesService, { strict: false });
  }

  async startWorker(env: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
    const settings = loadConfig(
      'worker',
      envOf(this.database, this.redis, { WORKER_QUEUES: 'webhook-delivery', ...env }),
    );
    const worker = await createWorker(settings, createLog('info', { write: (line) => void this.logged.push(line) }));
    this.apps.push(worker);
    await worker.init();
    return worker;
  }

  newAccount(): Promise<string> {
    return makeAccount(this.database.dataSource);
  }

  /** An endpoint that takes everything, of an account of its own where none is named. */
  async newEndpoint(url: string, more: Partial<WantedEndpoint> & { accountId?: string } = {}) {
    const { accountId = await this.newAccount(), ...wanted } = more;
    const { endpoint, secret } = await this.endpoints.create(
      accountId,
      { mode: 'live', url, events: ['job.completed', 'verification.completed'], low: null, ...wanted },
      ACTOR,
    );
    return { accountId, id: endpoint.id, secret };
  }

  /** Writes an event as features do, and queues it. */
  async report(accountId: string, more: Partial<OutboxEvent> = {}, isQueued = true): Promise<void> {
    const event: OutboxEvent = {
      accountId,
      mode: 'live',
      type: 'job.completed',
      data: () => ({ id: newId() }),
      ...more,
    };
    const outbox = this.api.get(OutboxRepository, { strict: false });
    const due = await this.database.dataSource.transaction((transaction) => outbox.writeWithin(transaction, event));
    if (isQueued) this.api.get(WebhookDeliveryProducer, { strict: false }).queueEndpoints(due);
  }

  async list(endpoint: { accountId: string; id: string }) {
    return (await this.deliveries.page(endpoint, null, 100)).deliveries;
  }

  /** The deliveries of an endpoint when there are so many and each was tried. */
  attempted(endpoint: { accountId: string; id: string }, count = 1) {
    const tried = async () => {
      const found = await this.list(endpoint);
      return found.length >= count && found.every(({ status, fault }) => status !== null || fault !== null) && found;
    };
    return waitUntil(tried, { ms: 30_000 });
  }

  async receive(answer?: Answer): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start(answer);
    this.receivers.push(receiver);
    return receiver;
  }

  async stopReceivers(): Promise<void> {
    await Promise.all(this.receivers.splice(0).map((receiver) => receiver.stop()));
  }

  query<T>(sql: string, values: unknown[] = []): Promise<T> {
    return this.database.dataSource.query<T>(sql, values);
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.api.close();
    await this.redis.release();
    await this.database.drop();
  }
}

function envOf(database: MigratedDatabase, redis: TestRedis, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_CHECK_DOMAINS: 'none',
    ...more,
  };
}
