import { Module } from '@nestjs/common';
import { AppConfig } from '../platform/config/app-config.js';
import { AppSecrets } from '../platform/config/app-secrets.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { DomainsModule } from './domains.module.js';
import { createListRefresher } from './lists/create-list-refresher.js';
import { countRefreshes } from './lists/list-metrics.js';
import { RefreshListsTask } from './lists/refresh-lists.task.js';
import { RefreshedListsRepository } from './lists/refreshed-lists.repository.js';
import { SignalListsModule } from './lists/signal-lists.module.js';
import { CrawlCountsRepository } from './store/crawl-counts.repository.js';
import { CrawlUpkeepRepository } from './store/crawl-upkeep.repository.js';
import { UnaskedDomainsTask } from './store/unasked-domains.task.js';

/** What domains have done in the background, for the worker. Needs `DatabaseModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [DomainsModule, SignalListsModule],
  providers: [
    {
      provide: UnaskedDomainsTask,
      inject: [CrawlUpkeepRepository, CrawlCountsRepository],
      useFactory: (upkeep: CrawlUpkeepRepository, counts: CrawlCountsRepository) =>
        new UnaskedDomainsTask(upkeep, counts),
    },
    {
      provide: RefreshListsTask,
      inject: [RefreshedListsRepository, AppConfig, AppSecrets, Metrics],
      useFactory: (
        rows: RefreshedListsRepository,
        config: AppConfig,
        { listUrls: urls }: AppSecrets,
        { registry }: Metrics,
      ) =>
        new RefreshListsTask({
          refresher: createListRefresher(config, rows),
          urls,
          onOutcome: countRefreshes(registry),
        }),
    },
  ],
  exports: [UnaskedDomainsTask, RefreshListsTask],
})
export class DomainsMaintenanceModule {}
