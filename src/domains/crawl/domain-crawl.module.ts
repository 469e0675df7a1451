import { Module } from '@nestjs/common';
import { QueueHealth } from '../../platform/queues/queue-health.js';
import { QueueWorkerModule } from '../../platform/queues/queue-worker.module.js';
import { QueuesModule } from '../../platform/queues/queues.module.js';
import { DomainInterestModule } from '../domain-interest.module.js';
import { SignalListsModule } from '../lists/signal-lists.module.js';
import { CrawlTurnsRepository } from '../store/crawl-turns.repository.js';
import { CrawlBacklogMetrics } from './crawl-metrics.js';
import { CrawlReconciler } from './crawl-reconciler.js';
import { CrawlerProvider } from './crawler-provider.js';
import { DomainCrawlProcessor } from './domain-crawl.processor.js';
import { DomainCrawlService } from './domain-crawl.service.js';

/** Crawls domains. Needs `DatabaseModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [DomainInterestModule, SignalListsModule, QueuesModule, QueueWorkerModule],
  providers: [
    CrawlerProvider,
    CrawlTurnsRepository,
    DomainCrawlService,
    DomainCrawlProcessor,
    CrawlReconciler,
    CrawlBacklogMetrics,
  ],
})
export class DomainCrawlModule {
  constructor(
    processor: DomainCrawlProcessor,
    reconciler: CrawlReconciler,
    host: CrawlerProvider,
    health: QueueHealth,
  ) {
    health.add(processor, reconciler, 'due crawls', () => host.warnings);
  }
}
