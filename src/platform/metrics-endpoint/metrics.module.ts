import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Readiness } from '../health/readiness.js';
import { Metrics } from '../metrics/metrics.js';
import { MetricsAccess } from './metrics-access.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsListener } from './metrics-listener.js';
import { RequestMetrics } from '../http/request-metrics.js';
import { showPool, showReadiness } from './server-metrics.js';

/** `Metrics` injectable everywhere. Needs `DatabaseModule` and `HealthModule`. */
@Global()
@Module({
  providers: [
    Metrics,
    MetricsAccess,
    {
      provide: RequestMetrics,
      inject: [Metrics],
      useFactory: ({ registry }: Metrics) => new RequestMetrics(registry),
    },
  ],
  exports: [Metrics, MetricsAccess, RequestMetrics],
})
class MetricsModule {
  constructor({ registry }: Metrics, dataSource: DataSource, readiness: Readiness) {
    showPool(registry, dataSource);
    showReadiness(registry, readiness);
  }
}

/** `/metrics` beside the other routes, where none of them is for the public. */
@Module({ imports: [MetricsModule], controllers: [MetricsController] })
export class MetricsRouteModule {}

/** `/metrics` on a listener of its own, once that is started. */
@Module({ imports: [MetricsModule], providers: [MetricsListener] })
export class MetricsListenerModule {}
