import { Module } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueConnection } from './queue-connection.js';
import { QueueDepths } from './queue-depths.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueuesModule } from './queues.module.js';

/** What is counted of the queues of a process that serves some. Needs `MetricsModule`. */
@Module({
  imports: [QueuesModule],
  providers: [
    {
      provide: QueueMetrics,
      inject: [Metrics, QueueConnection, FailedJobsRepository],
      useFactory: ({ registry }: Metrics, { redis }: QueueConnection, failedJobs: FailedJobsRepository) =>
        new QueueMetrics(registry, new QueueDepths(redis), failedJobs),
    },
  ],
  exports: [QueuesModule, QueueMetrics],
})
export class QueueMetricsModule {}
