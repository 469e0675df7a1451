import { Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { Liveness } from '../health/liveness.js';
import { BoundedReading } from '../metrics-endpoint/bounded-reading.js';
import { Metrics } from '../metrics/metrics.js';
import { AllQueues } from './all-queues.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueAges } from './queue-ages.js';
import { QueueConnection } from './queue-connection.js';
import { QueueDepths, type QueueDepth } from './queue-depths.js';
import { QueueMetrics, showStandstills } from './queue-metrics.js';
import type { QueueName } from '../config/queue-names.js';
import { QueueWatch } from './queue-watch.js';
import { QueuesModule } from './queues.module.js';

/** One reading for metrics and the watch. */
const DEPTHS = Symbol('depths of the queues');
type Depths = BoundedReading<ReadonlyMap<QueueName, QueueDepth>>;

/** Runs of jobs take a minute; nothing moves for minutes only where something has stuck. */
const LEAST_PATIENCE_MS = 300_000;

/** What is counted and watched of the queues of a process that serves some. Needs `MetricsModule` and `HealthModule`. */
@Module({
  imports: [QueuesModule],
  providers: [
    {
      provide: AllQueues,
      inject: [QueueConnection],
      useFactory: ({ redis }: QueueConnection) => new AllQueues(redis),
    },
    {
      provide: DEPTHS,
      inject: [AllQueues],
      useFactory: (queues: AllQueues): Depths => {
        const depths = new QueueDepths(queues);
        return new BoundedReading(() => depths.read());
      },
    },
    {
      provide: QueueMetrics,
      inject: [Metrics, AllQueues, DEPTHS, FailedJobsRepository, QueueConnection],
      useFactory: (
        { registry }: Metrics,
        queues: AllQueues,
        depths: Depths,
        failedJobs: FailedJobsRepository,
        connection: QueueConnection,
      ) => {
        const metrics = new QueueMetrics(registry, { depths, ages: new QueueAges(queues), failedJobs });
        connection.onException = (queue, what, jobs) => metrics.befell(queue, what, jobs);
        return metrics;
      },
    },
    {
      provide: QueueWatch,
      inject: [DEPTHS, Liveness, AppConfig, Metrics],
      useFactory: (
        depths: Depths,
        liveness: Liveness,
        { probes: { deadlineMs } }: AppConfig,
        { registry }: Metrics,
      ) => {
        const patienceMs = Math.max(LEAST_PATIENCE_MS, 3 * deadlineMs);
        const watch = new QueueWatch({ depths, patienceMs });
        liveness.watch(() => watch.fault);
        showStandstills(registry, watch);
        return watch;
      },
    },
  ],
  exports: [QueuesModule, QueueMetrics, QueueWatch],
})
export class QueueMetricsModule {}
