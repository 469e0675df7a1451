import { Module } from '@nestjs/common';
import { DomainsModule } from './domains.module.js';
import { ListRefresher } from './lists/list-refresher.js';
import { RefreshListsTask } from './lists/refresh-lists.task.js';
import { RefreshMetrics } from './lists/refresh-metrics.js';
import { SignalListsModule } from './lists/signal-lists.module.js';

/** The worker's background tasks for domains and lists. Needs `DatabaseModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [DomainsModule, SignalListsModule],
  providers: [ListRefresher, RefreshMetrics, RefreshListsTask],
})
export class DomainsMaintenanceModule {}
