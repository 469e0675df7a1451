import { Module } from '@nestjs/common';
import { ListHealth } from './list-health.js';
import { ListMetrics } from './list-metrics.js';
import { RefreshedListsRepository } from './refreshed-lists.repository.js';
import { SignalListsProvider } from './signal-lists-provider.js';

/** The shipped and the fetched lists. Needs `DatabaseModule`, `HealthModule` and `Metrics`. */
@Module({
  providers: [RefreshedListsRepository, SignalListsProvider, ListHealth, ListMetrics],
  exports: [RefreshedListsRepository, SignalListsProvider],
})
export class SignalListsModule {}
