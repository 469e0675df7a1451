import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueConnection } from './queue-connection.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueueWatch } from './queue-watch.js';

/** Dependencies of every `QueueWorkerHost`. */
@Injectable()
export class WorkerHostServices {
  readonly failedJobs: Pick<FailedJobsRepository, 'insert'>;
  readonly metrics: Pick<QueueMetrics, 'ran'>;
  readonly watch: Pick<QueueWatch, 'watch'>;
  /** How long running jobs may take at shutdown. */
  readonly graceMs: number;

  constructor(
    readonly connection: QueueConnection,
    failedJobs: FailedJobsRepository,
    metrics: QueueMetrics,
    watch: QueueWatch,
    { shutdown }: AppConfig,
  ) {
    this.failedJobs = failedJobs;
    this.metrics = metrics;
    this.watch = watch;
    this.graceMs = shutdown.graceMs;
  }
}
