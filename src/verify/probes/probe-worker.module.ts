import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../platform/config/app-config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { QueueHealth } from '../../platform/queues/queue-health.js';
import { QueueWorkerModule } from '../../platform/queues/queue-worker.module.js';
import { CheckCacheRepository } from '../cache/check-cache.repository.js';
import { EngineProvider } from '../engine/engine-provider.js';
import { EgressReportModule } from '../engine/egress-report.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { SingleFlight } from '../single-flight/single-flight.js';
import { PendingModule } from './pending.module.js';
import { PendingSummaryRepository } from './pending-summary.repository.js';
import { ProbeEndingsRepository } from './probe-endings.repository.js';
import { countTurns, showPendingProbes } from './probe-metrics.js';
import { ProbeSlots } from './probe-slots.js';
import { ProbeService } from './probe.service.js';
import { ProbeAttemptsRepository } from './probe-attempts.repository.js';
import { Reconciler } from './reconciler.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { SmtpProbeProcessor } from './smtp-probe.processor.js';

/**
 * Probes that prepare at once, besides those that ask. Preparing takes a tenth of the time of asking a near mail host.
 */
const READY = 4;

/** Runs deferred probes. Needs `DatabaseModule`, `RedisModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [PendingModule, EgressReportModule, EngineModule, QueueWorkerModule],
  providers: [
    ProbeAttemptsRepository,
    ReconciliationRepository,
    Reconciler,
    SingleFlight,
    // Sized from the configuration.
    {
      provide: ProbeSlots,
      inject: [AppConfig],
      useFactory: ({ worker: { concurrency } }: AppConfig) =>
        new ProbeSlots({ asking: concurrency, ready: Math.min(concurrency, READY), slow: concurrency }),
    },
    {
      provide: ProbeService,
      inject: [
        ProbeSlots,
        ProbeAttemptsRepository,
        ProbeEndingsRepository,
        CheckCacheRepository,
        SingleFlight,
        EngineProvider,
        AppConfig,
        Metrics,
      ],
      useFactory: (
        line: ProbeSlots,
        turns: ProbeAttemptsRepository,
        endings: ProbeEndingsRepository,
        cache: CheckCacheRepository,
        flights: SingleFlight,
        { engine }: EngineProvider,
        { probes: { deadlineMs } }: AppConfig,
        { registry }: Metrics,
      ) =>
        new ProbeService({
          slots: line,
          turns,
          endings,
          cache,
          flights,
          engine,
          deadlineMs,
          onTurn: countTurns(registry),
        }),
    },
    SmtpProbeProcessor,
  ],
})
export class ProbeWorkerModule {
  constructor(
    processor: SmtpProbeProcessor,
    reconciler: Reconciler,
    dataSource: DataSource,
    { registry }: Metrics,
    health: QueueHealth,
  ) {
    showPendingProbes(registry, new PendingSummaryRepository(dataSource));
    health.add(processor, reconciler, 'pending probes');
  }
}
