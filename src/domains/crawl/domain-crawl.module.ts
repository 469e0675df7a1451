import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppSecrets } from '../../platform/config/app-secrets.js';
import { HealthDetails } from '../../platform/health/health-details.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { QueueConnection } from '../../platform/queues/queue-connection.js';
import { QueueWorkerModule } from '../../platform/queues/queue-worker.module.js';
import { QueuesModule } from '../../platform/queues/queues.module.js';
import { DomainInterestModule } from '../domain-interest.module.js';
import { SignalListsProvider } from '../lists/signal-lists-provider.js';
import { SignalListsModule } from '../lists/signal-lists.module.js';
import { CrawlTurnsRepository } from '../store/crawl-turns.repository.js';
import { CrawlUpkeepRepository } from '../store/crawl-upkeep.repository.js';
import { showBacklog } from './crawl-metrics.js';
import { DomainCrawlProducer } from './domain-crawl.queue.js';
import { CrawlReconciler } from './crawl-reconciler.js';
import { CrawlerHost } from './crawler-host.js';
import { DomainCrawlProcessor } from './domain-crawl.processor.js';
import { DomainCrawlService } from './domain-crawl.service.js';

/** Crawls domains. Needs `DatabaseModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [DomainInterestModule, SignalListsModule, QueuesModule, QueueWorkerModule],
  providers: [
    {
      provide: CrawlerHost,
      inject: [AppConfig, AppSecrets, Metrics],
      useFactory: (config: AppConfig, secrets: AppSecrets, { registry }: Metrics) =>
        new CrawlerHost({ config, secrets }, registry),
    },
    {
      provide: DomainCrawlService,
      inject: [DataSource, CrawlerHost, FailedJobsRepository, SignalListsProvider],
      useFactory: (
        dataSource: DataSource,
        { crawler }: CrawlerHost,
        failedJobs: FailedJobsRepository,
        lists: SignalListsProvider,
      ) =>
        new DomainCrawlService({
          turns: new CrawlTurnsRepository(dataSource),
          crawler,
          failedJobs,
          knowledge: { lists, findProvider },
        }),
    },
    DomainCrawlProcessor,
    {
      provide: CrawlReconciler,
      inject: [CrawlUpkeepRepository, DomainCrawlProducer],
      useFactory: (upkeep: CrawlUpkeepRepository, queue: DomainCrawlProducer) => new CrawlReconciler({ upkeep, queue }),
    },
  ],
})
export class DomainCrawlModule {
  constructor(
    processor: DomainCrawlProcessor,
    reconciler: CrawlReconciler,
    connection: QueueConnection,
    host: CrawlerHost,
    upkeep: CrawlUpkeepRepository,
    { registry }: Metrics,
    health: HealthDetails,
  ) {
    showBacklog(registry, upkeep);
    health.add(processor.name, () => ({
      state: {
        active: processor.active,
        reachable: connection.isReady,
        reconciled_at: reconciler.lastFinishedAt?.toISOString() ?? null,
      },
      warnings: [
        ...host.warnings,
        ...(reconciler.failing ? ['due crawls are not looked after: the database does not answer'] : []),
      ],
    }));
  }
}
