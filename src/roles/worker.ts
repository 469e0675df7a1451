import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainCrawlModule } from '../domains/crawl/domain-crawl.module.js';
import { JobWorkerModule } from '../jobs/job-worker.module.js';
import type { Settings } from '../platform/config/load-config.js';
import type { Log } from '../platform/logging/log.js';
import { MetricsRouteModule } from '../platform/metrics-endpoint/metrics.module.js';
import type { QueueName } from '../platform/config/queue-names.js';
import { ProbeWorkerModule } from '../verify/probes/probe-worker.module.js';
import { WebhookWorkerModule } from '../webhooks/delivery/webhook-worker.module.js';
import { createProcess } from './create-process.js';
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
export function createWorker(settings: Settings, log?: Log): Promise<NestFastifyApplication> {
  const queues = settings.config.worker.queues.map((queue) => SERVED_BY[queue]);
  return createProcess(settings, log, 'closed', [MetricsRouteModule, ...queues]);
}
