import { Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { Liveness } from '../health/liveness.js';
import { Metrics } from '../metrics/metrics.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueAges } from './queue-ages.js';
import { QueueConnection } from './queue-connection.js';
import { QueueDepths } from './queue-depths.js';
import { QueueMetrics, showStandstills } from './queue-metrics.js';
import { QueueWatch } from './queue-watch.js';
import { QueuesModule } from './queues.module.js';

/** Runs of jobs take a minute; nothing moves for minutes only where something has stuck. */
const LEAST_PATIENCE_MS = 300_000;

/** What is counted and watched of the queues of a process that serves some. Needs `MetricsModule` and `HealthModule`. */
@Module({
  imports: [QueuesModule],
  providers: [
    {
      provide: QueueMetrics,
      inject: [Metrics, QueueConnection, FailedJobsRepository],
      useFactory: ({ registry }: Metrics, { redis }: QueueConnection, failedJobs: FailedJobsRepository) =>
        new QueueMetrics(registry, { depths: new QueueDepths(redis), ages: new QueueAges(redis), failedJobs }),
    },
    {
      provide: QueueWatch,
      inject: [QueueConnection, Liveness, AppConfig, Metrics],
      useFactory: (
        { redis }: QueueConnection,
        liveness: Liveness,
        { probes: { deadlineMs } }: AppConfig,
        { registry }: Metrics,
      ) => {
        const patienceMs = Math.max(LEAST_PATIENCE_MS, 3 * deadlineMs);
        const watch = new QueueWatch({ depths: new QueueDepths(redis), patienceMs });
        liveness.watch(() => watch.fault);
        showStandstills(registry, watch);
        return watch;
      },
    },
  ],
  exports: [QueuesModule, QueueMetrics, QueueWatch],
})
export class QueueMetricsModule {}
