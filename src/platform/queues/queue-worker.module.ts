import { Module } from '@nestjs/common';
import { AllQueues } from './all-queues.js';
import { QueueAges } from './queue-ages.js';
import { QueueDepths } from './queue-depths.js';
import { QueueHealth } from './queue-health.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueueWatch } from './queue-watch.js';
import { QueuesModule } from './queues.module.js';
import { WorkerHostServices } from './worker-host-services.js';

/**
 * Provides services, metrics and the watch for processors. Needs `DatabaseModule`, `MetricsModule` and `HealthModule`.
 */
@Module({
  imports: [QueuesModule],
  providers: [AllQueues, QueueAges, QueueDepths, QueueHealth, QueueMetrics, QueueWatch, WorkerHostServices],
  exports: [QueuesModule, QueueHealth, WorkerHostServices],
})
export class QueueWorkerModule {}
