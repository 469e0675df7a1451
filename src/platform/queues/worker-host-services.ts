import { Inject, Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueConnection } from './queue-connection.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueueWatch } from './queue-watch.js';

/** Dependencies of every `QueueWorkerHost`. */
@Injectable()
export class WorkerHostServices {
  /** How long running jobs may take at shutdown. */
  readonly graceMs: number;

  constructor(
    readonly connection: QueueConnection,
    @Inject(FailedJobsRepository) readonly failedJobs: Pick<FailedJobsRepository, 'insert'>,
    @Inject(QueueMetrics) readonly metrics: Pick<QueueMetrics, 'ran'>,
    @Inject(QueueWatch) readonly watch: Pick<QueueWatch, 'watch'>,
    { shutdown }: AppConfig,
  ) {
    this.graceMs = shutdown.graceMs;
  }
}
