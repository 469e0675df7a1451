import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import { HealthDetails } from '../../platform/health/health-details.js';
import { Readiness } from '../../platform/health/readiness.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { showLists } from './list-metrics.js';
import { RefreshedListEntity } from './refreshed-list.entity.js';
import { RefreshedListsRepository } from './refreshed-lists.repository.js';
import { SignalListsProvider } from './signal-lists-provider.js';

/** A list is fetched every few hours; a source that fails for so long wants somebody to look. */
const OLD_SECONDS = 3 * 86_400;

/**
 * The lists of a process that serves, which is not ready before it knows what was fetched. Needs `DatabaseModule` and
 * `HealthModule`; shown in the metrics where there are any.
 */
@Module({
  imports: [TypeOrmModule.forFeature([RefreshedListEntity])],
  providers: [
    {
      provide: RefreshedListsRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new RefreshedListsRepository(dataSource),
    },
    {
      provide: SignalListsProvider,
      inject: [RefreshedListsRepository, Readiness, HealthDetails, { token: Metrics, optional: true }],
      useFactory: (rows: RefreshedListsRepository, readiness: Readiness, health: HealthDetails, metrics?: Metrics) => {
        const host = new SignalListsProvider(rows, loadSignalLists());
        readiness.require('the fetched lists have not been read yet', () => host.ready);
        if (metrics !== undefined) showLists(metrics.registry, host);
        health.add('lists', () => ({ state: { fetched: host.states.map(rounded) }, warnings: warningsOf(host) }));
        return host;
      },
    },
  ],
  exports: [RefreshedListsRepository, SignalListsProvider],
})
export class SignalListsModule {}

function rounded({ name, entries, ageSeconds }: SignalListsProvider['states'][number]): object {
  return { list: name, entries, age_seconds: Math.round(ageSeconds) };
}

function warningsOf(host: SignalListsProvider): string[] {
  return host.states
    .filter(({ ageSeconds }) => ageSeconds > OLD_SECONDS)
    .map(({ name }) => `the fetched list ${name} could not be had from its source for three days`);
}
