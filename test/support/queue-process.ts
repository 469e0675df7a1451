import { BullModule, Processor } from '@nestjs/bullmq';
import { Module, type Provider, type Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import type { AppConfig } from '../../src/platform/config/app-config.js';
import type { AppSecrets } from '../../src/platform/config/app-secrets.js';
import '../../src/platform/queues/queues.module.js';
import { QueueConnection } from '../../src/platform/queues/queue-connection.js';
import { QueueProducer } from '../../src/platform/queues/queue-producer.js';
import { QueueWorkerHost } from '../../src/platform/queues/queue-worker-host.js';
import { QueueWithoutErrorLog } from '../../src/platform/queues/queue-without-error-log.js';
import type { Addition, JobEnding, WorkQueue } from '../../src/platform/queues/work-queue.js';
import type { WorkerHostServices } from '../../src/platform/queues/worker-host-services.js';

/** @param parts those of `smtp-probe` */
export function connectQueues(redisUrl: string, parts = 1): QueueConnection {
  return new QueueConnection({ redisUrl } as AppSecrets, { queues: { parts: { 'smtp-probe': parts } } } as AppConfig);
}

/** Puts jobs of a test on their queue. */
export class TestProducer<P extends object> extends QueueProducer<P> {
  constructor(connection: QueueConnection, queue: WorkQueue<P>) {
    super(queue, new QueueWithoutErrorLog(queue.name, connection.createSharedConfiguration()), connection);
  }

  add(additions: readonly Addition<P>[]): void {
    this.enqueue(additions);
  }
}

export interface Serving<P extends object> {
  readonly queue: WorkQueue<P>;
  readonly connection: QueueConnection;
  handle(payload: P, stop: AbortSignal): Promise<JobEnding>;
  readonly services?: Partial<WorkerHostServices>;
  /** Jobs at once. */
  readonly concurrency?: number;
  readonly lockMs?: number;
  readonly stalledEveryMs?: number;
}

/** Serves a queue with a processor that is made and closed as in the product, on a connection that stays. */
export async function serveQueue<P extends object>(serving: Serving<P>) {
  const { queue, connection, concurrency = 1, lockMs, stalledEveryMs } = serving;
  const services: WorkerHostServices = {
    failedJobs: { insert: async () => undefined },
    metrics: { ran: () => undefined },
    watch: { watch: () => undefined },
    graceMs: 5000,
    ...serving.services,
    connection,
  };

  @Processor(queue.name, {
    autorun: false,
    ...(lockMs !== undefined && { lockDuration: lockMs }),
    ...(stalledEveryMs !== undefined && { stalledInterval: stalledEveryMs }),
  })
  class TestProcessor extends QueueWorkerHost<P> {
    constructor() {
      super(queue, services, { concurrency });
    }

    protected override handle(payload: P, stop: AbortSignal): Promise<JobEnding> {
      return serving.handle(payload, stop);
    }
  }

  const app = await startQueueModule(connection, [queue.name], [TestProcessor]);
  return { host: app.get(TestProcessor), close: () => app.close() };
}

/** Starts a process of these providers, with queues on a connection that stays. */
export function startQueueModule(
  connection: QueueConnection,
  names: readonly string[],
  providers: readonly Provider[],
) {
  const imports = [
    DiscoveryModule,
    BullModule.forRoot(connection.createSharedConfiguration()),
    BullModule.registerQueue(...names.map((name) => ({ name }))),
  ];

  @Module({ imports, providers: [...providers] })
  class QueueProcess {}

  return startContext(QueueProcess);
}

function startContext(module: Type) {
  return NestFactory.createApplicationContext(module, { logger: false });
}
