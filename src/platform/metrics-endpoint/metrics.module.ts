import { Global, Module } from '@nestjs/common';
import { RequestMetrics } from '../http/request-metrics.js';
import { Metrics } from '../metrics/metrics.js';
import { MetricsAccess } from './metrics-access.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsListener } from './metrics-listener.js';
import { ServerMetrics } from './server-metrics.js';

/** `Metrics` injectable everywhere. Needs `DatabaseModule` and `HealthModule`. */
@Global()
@Module({
  providers: [Metrics, MetricsAccess, RequestMetrics, ServerMetrics],
  exports: [Metrics, MetricsAccess, RequestMetrics],
})
class MetricsModule {}

/** `/metrics` beside the other routes, in a process without public routes. */
@Module({ imports: [MetricsModule], controllers: [MetricsController] })
export class MetricsRouteModule {}

/** `/metrics` on a separate port. The process starts the listener. */
@Module({ imports: [MetricsModule], providers: [MetricsListener] })
export class MetricsListenerModule {}
