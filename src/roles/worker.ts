import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainCrawlModule } from '../domains/crawl/domain-crawl.module.js';
import { JobWorkerModule } from '../jobs/job-worker.module.js';
import { ConfigModule } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/load-config.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { createHttpApplication } from '../platform/http/create-http-application.js';
import { createLog, type Log } from '../platform/logging/log.js';
import { MetricsRouteModule } from '../platform/metrics-endpoint/metrics.module.js';
import type { QueueName } from '../platform/config/queue-names.js';
import { RedisModule } from '../platform/redis/redis.module.js';
import { ProbeWorkerModule } from '../verify/probes/probe-worker.module.js';
import { WebhookWorkerModule } from '../webhooks/delivery/webhook-worker.module.js';
import { WorkerMaintenanceModule } from './worker-maintenance.module.js';

/** The module that serves each queue. */
const SERVED_BY: Readonly<Record<QueueName, Type>> = {
  'smtp-probe': ProbeWorkerModule,
  'job-batch': JobWorkerModule,
  'domain-crawl': DomainCrawlModule,
  'webhook-delivery': WebhookWorkerModule,
  maintenance: WorkerMaintenanceModule,
};

/** The background worker. Its HTTP side is health and metrics only. */
@Module({})
class WorkerModule {
  static with(settings: Settings): DynamicModule {
    const { queues } = settings.config.worker;
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forRoot(settings),
        DatabaseModule,
        RedisModule,
        HealthModule,
        MetricsRouteModule,
        ...queues.map((queue) => SERVED_BY[queue]),
      ],
    };
  }
}

/** The worker, ready for `init()` (tests) or `listen()`. */
export function createWorker(
  settings: Settings,
  log: Log = createLog(settings.config.logging.level),
): Promise<NestFastifyApplication> {
  return createHttpApplication(WorkerModule.with(settings), settings.config, log, 'closed');
}
