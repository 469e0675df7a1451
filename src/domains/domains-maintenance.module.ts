import { Module } from '@nestjs/common';
import { DomainsModule } from './domains.module.js';
import { ListRefresher } from './lists/list-refresher.js';
import { RefreshListsTask } from './lists/refresh-lists.task.js';
import { RefreshMetrics } from './lists/refresh-metrics.js';
import { SignalListsModule } from './lists/signal-lists.module.js';
import { UnaskedDomainsTask } from './store/unasked-domains.task.js';

/** The worker's background tasks for domains and lists. Needs `DatabaseModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [DomainsModule, SignalListsModule],
  providers: [UnaskedDomainsTask, ListRefresher, RefreshMetrics, RefreshListsTask],
  exports: [UnaskedDomainsTask, RefreshListsTask],
})
export class DomainsMaintenanceModule {}
